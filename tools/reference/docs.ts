/** The pages of the documentation as they are served, and the list of all pages for language models. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { type Section } from './sections.js';

/** Pages outside of docs/. */
const OTHER_PAGES: Readonly<Record<string, string>> = {
  'README.md': 'overview.md',
  'SECURITY.md': 'security.md',
  'deploy/kubernetes/README.md': 'kubernetes.md',
};
/** What explains the code, or an alert, rather than how Gatehouse is used. */
const DETAILS = /^(?:adr|runbooks)\//;
const LINK = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g;

/** @returns Markdown by file name */
export function docsPages(): Map<string, string> {
  const files = [...sources()];
  const served = new Map(files);
  return new Map(
    files.map(([source, name]) => {
      const text = readFileSync(join(workspace, source), 'utf8');
      const linkOf = (target: string) => {
        const [path = '', fragment] = target.split('#');
        if (path === '' || path.includes(':')) return target;
        const page = served.get(posix.join(posix.dirname(source), path));
        if (page === undefined) return undefined;
        const link = posix.relative(posix.dirname(name), page);
        return fragment === undefined ? link : `${link}#${fragment}`;
      };
      return [name, withLinks(text, linkOf)];
    }),
  );
}

/** The path of each page in the repository, and its name. */
function* sources(): Generator<[source: string, name: string]> {
  yield* Object.entries(OTHER_PAGES);
  const names = readdirSync(join(workspace, 'docs'), { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((each) => each.endsWith('.md')).sort()) {
    yield [`docs/${name}`, name];
  }
}

/** Pictures, and links to what is not served, become their text. */
function withLinks(text: string, linkOf: (target: string) => string | undefined): string {
  return text.replace(LINK, (_, picture: string, label: string, target: string) => {
    const link = picture === '' ? linkOf(target) : undefined;
    return link === undefined ? label : `[${label}](${link})`;
  });
}

/** All pages, in the format of https://llmstxt.org. */
export function llmsText(pages: ReadonlyMap<string, string>, sections: readonly Section[]): string {
  const entries = [...pages].map(([name, text]) => ({ name, line: entry(name, text) }));
  return `# Gatehouse

> ${sentenceOf(pages.get('overview.md') ?? '')}

## Documentation

${lines(entries.filter(({ name }) => !DETAILS.test(name)))}

## API reference

- [OpenAPI document](/openapi.json): all operations of the admin surface
${sections.map(({ file, tag }) => `- [${tag.name}](/docs/${file}): ${tag.description}`).join('\n')}

## Optional

${lines(entries.filter(({ name }) => DETAILS.test(name)))}
`;
}

function lines(entries: readonly { line: string }[]): string {
  return entries.map(({ line }) => line).join('\n');
}

function entry(name: string, text: string): string {
  const [, title = name] = /^# (.+)$/m.exec(text) ?? [];
  const sentence = sentenceOf(text);
  return `- [${title}](/docs/${name})${sentence === '' ? '' : `: ${sentence}`}`;
}

/** The first sentence below the title, without links; empty if something else is there. */
function sentenceOf(text: string): string {
  const [, paragraph = ''] = /^# .+\n+([^#\n|<-](?:.+\n)*)/m.exec(text) ?? [];
  const [sentence = ''] = /^.*?\.(?=\s)/s.exec(paragraph.replace(LINK, '$2')) ?? [];
  return sentence.replaceAll('\n', ' ');
}
