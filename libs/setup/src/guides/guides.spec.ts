import { adviceCode, adviceFor } from './advice.js';
import { GUIDES, SCIM_GUIDES } from './guides.js';
import { type GuideLanguage, type GuideStep, type Translated } from './guide.types.js';
import { pictureOf } from './picture.js';
import { sentenceOf, spansOf } from './sentences.js';

const LANGUAGES: readonly GuideLanguage[] = ['en', 'de', 'fr', 'es'];
const namesIn = (text: string) =>
  spansOf(text)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ text: name }) => name)
    .sort();
const entered = (steps: readonly GuideStep[], what: string) =>
  steps
    .flatMap(({ instructions }) => instructions)
    .filter((each) => each.do === 'enter' && 'is' in each.value && each.value.is === what);

describe.each(GUIDES.map((guide) => [guide.id, guide] as const))(
  'the guide of %s',
  (_id, guide) => {
    it('has two to five steps', () => {
      expect(guide.steps.length).toBeGreaterThanOrEqual(2);
      expect(guide.steps.length).toBeLessThanOrEqual(5);
    });

    it('shows the same names in every language', () => {
      const said = guide.steps.flatMap(({ instructions }) =>
        instructions.flatMap((each) => (each.do === 'say' ? [each.text] : [])),
      );
      const texts: Translated[] = [...said, ...guide.notes];
      for (const text of texts) {
        for (const language of LANGUAGES) {
          expect(namesIn(text[language])).toEqual(namesIn(text.en));
        }
      }
    });

    it('is drawn without markup of its texts', () => {
      for (const step of guide.steps) {
        const svg = pictureOf(step, { address: '<b>', token: '&' }) ?? '';
        expect(svg).not.toContain('<b>');
        expect(svg).not.toMatch(/&(?!amp;|lt;|gt;)/);
      }
    });
  },
);

it.each(SCIM_GUIDES.map(({ id, steps }) => [id, steps] as const))(
  '%s: the address and the token are entered once',
  (_id, steps) => {
    expect(entered(steps, 'address')).toHaveLength(1);
    expect(entered(steps, 'token')).toHaveLength(1);
  },
);

it.each([
  [401, null, 'token'],
  [403, null, 'forbidden'],
  [409, 'uniqueness', 'duplicate'],
  [400, 'invalidFilter', 'filter'],
  [400, 'mutability', 'readOnly'],
  [400, null, 'value'],
  [413, null, 'tooLarge'],
  [429, null, 'tooMany'],
  [500, null, 'server'],
  [418, null, 'other'],
])('status %d %s leads to the advice %s, in every language', (status, scimType, code) => {
  const answer = { status, scimType };
  expect(adviceCode(answer)).toBe(code);
  for (const guide of SCIM_GUIDES) {
    const names = LANGUAGES.map((language) => namesIn(adviceFor(guide, answer, language)));
    for (const each of names) expect(each).toEqual(names[0]);
  }
});

it('splits sentences into plain text, names and values', () => {
  const { text } = sentenceOf({ do: 'choose', field: 'A', option: 'B' }, 'en');
  expect(spansOf(`${text} \`c\``).map(({ kind }) => kind)).toEqual([
    'plain',
    'name',
    'plain',
    'name',
    'plain',
    'code',
  ]);
});
