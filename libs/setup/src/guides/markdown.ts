/** The page of a provider in docs/providers, from its guide. */
import { type FieldValue, type Guide, type GuideStep, type ScimGuide } from './guide.types.js';
import { pictureOf } from './picture.js';
import { guideTexts, sentenceOf, stepTitle } from './sentences.js';
import { type AdviceCode } from './texts/guide-texts.js';

const NOTICE =
  '<!-- Generated from libs/setup by UPDATE_SNAPSHOTS=1 npm test -- --tier checks. -->';
const WORDS = { address: 'scim.endpoint', token: 'scim.secret' };

/** Files of docs/providers by name. */
export function guideFiles(guide: Guide): Map<string, string> {
  const files = new Map([[`${guide.id}.md`, page(guide)]]);
  guide.steps.forEach((step, index) => {
    const picture = pictureOf(step, WORDS, { standalone: true });
    if (picture !== undefined) files.set(pictureFile(guide, index), `${picture}\n`);
  });
  return files;
}

function pictureFile({ id }: Guide, index: number): string {
  return `images/${id}-${index + 1}.svg`;
}

function page(guide: Guide): string {
  const sections = guide.steps.map((step, index) => section(guide, step, index));
  return [
    NOTICE,
    `# ${guide.name}${guide.kind === 'pull' ? ', with consent' : ''}`,
    introduction(guide),
    ...sections,
    ...(guide.kind === 'scim' ? [refusals(guide)] : []),
    ...notes(guide),
  ]
    .join('\n\n')
    .concat('\n');
}

function introduction({ kind, type }: Guide): string {
  if (kind === 'pull') {
    return `Create a directory of the type \`${type}\`; [Workspace directories](../workspace.md) explains the rest. Or
create a [setup link](../setup-links.md): its pages show these steps, with a button that leads to the provider.
Without a link, open the authorization URL of the directory instead.`;
  }
  return `Create a directory of the type \`${type}\` ([how](../directory-sync.md#create-a-directory)). Or
create a [setup link](../setup-links.md): its pages show these steps, with your address and a token.`;
}

function section(guide: Guide, step: GuideStep, index: number): string {
  const lines = step.instructions.map((instruction, at) => {
    const { text, value, permissions = [] } = sentenceOf(instruction, 'en');
    const items = permissions.map(({ name, scope }) => `\n   - **${name}**: \`${scope}\``);
    return `${at + 1}. ${text}${value ? ` ${shown(value)}` : ''}${items.join('')}`;
  });
  const title = stepTitle(step, 'en');
  const hasPicture = pictureOf(step, WORDS) !== undefined;
  const picture = hasPicture ? `\n\n![${title}](${pictureFile(guide, index)})` : '';
  return `## ${index + 1}. ${title}\n\n${lines.join('\n')}${picture}`;
}

function shown(value: FieldValue): string {
  if ('text' in value) return `\`${value.text}\``;
  if (value.is === 'token') return `\`${WORDS.token}\`, without the word \`Bearer\``;
  return value.suffix === undefined
    ? `\`${WORDS.address}\``
    : `\`${WORDS.address}\`, followed by \`${value.suffix}\``;
}

function refusals({ words }: ScimGuide): string {
  const { advice } = guideTexts('en');
  const answers: Partial<Record<AdviceCode, string>> = {
    token: '401',
    duplicate: '409, `uniqueness`',
    filter: '400, `invalidFilter`',
    value: '400, `invalidValue`',
    syntax: '400, `invalidSyntax`',
    readOnly: '400, `mutability`',
  };
  const rows = Object.entries(answers).map(
    ([code, answer]) => `- **${answer}**: ${advice[code as AdviceCode](words)}`,
  );
  return `## When a request is refused\n\nThe [log of requests](../directory-sync.md#log-of-scim-requests) shows each answer.\n\n${rows.join('\n')}`;
}

function notes({ notes: all, behavior }: Guide): string[] {
  const items = [...all.map(({ en }) => en), ...behavior];
  if (items.length === 0) return [];
  return [`## Notes\n\n${items.map((item) => `- ${item}`).join('\n')}`];
}
