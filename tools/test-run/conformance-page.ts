/** Makes docs/conformance.md from what Jest reports of the conformance tier. */
import { basename, dirname } from 'node:path';
import { markdownTable } from './markdown-table.js';
import { type JestReport } from './tally.js';

export interface Suite {
  name: string;
  /** What the sources of its groups of cases contain. */
  sources: RegExp;
}

/** In the order of the page. A group belongs to the first suite of its area that matches. */
const AREAS: readonly { title: string; folder: string; suites: readonly Suite[] }[] = [
  {
    title: 'SCIM: identity providers and clients',
    folder: 'scim',
    suites: [
      {
        name: 'Entra ID: Microsoft reference collections, Microsoft Learn, observed requests',
        sources: /AzureAD|The collection|Microsoft Learn|^Entra ID/,
      },
      {
        name: 'Okta: SPEC test suite, documentation, recorded exchanges',
        sources: /^Okta /,
      },
      { name: 'OneLogin', sources: /^OneLogin/ },
      { name: 'JumpCloud', sources: /^JumpCloud/ },
      { name: 'PingFederate and PingOne', sources: /^Ping/ },
      { name: 'authentik', sources: /^authentik/ },
      { name: 'Forms that several providers send', sources: /^Okta, OneLogin|^Booleans|^Seen in/ },
    ],
  },
  {
    title: 'SCIM: standards and other servers',
    folder: 'scim',
    suites: [
      { name: 'RFC 7643, RFC 7644, RFC 9865', sources: /^RFC |^Hostile/ },
      { name: 'Ory Polis: tests of its SCIM endpoints', sources: /polis/ },
      { name: 'SCIMMY and scim2-parse-filter', sources: /SCIMMY/ },
      { name: 'scim-patch, where it differs from the RFCs', sources: /^scim-patch/ },
    ],
  },
  {
    title: 'Forms',
    folder: 'forms',
    suites: [
      { name: 'Ory Kratos: tests of its decoder, observed requests', sources: /^Ory Kratos/ },
      {
        name: 'HTML, URL, JSON, JSON Schema, HTTP and multipart standards',
        sources: /^(?:HTML|WHATWG|URL|RFC|JSON|RE2)/,
      },
      { name: 'Rules of our own', sources: /^own|^$/ },
    ],
  },
];

const INTRODUCTION = `# Conformance

What Gatehouse answers to the test suites, documents and recorded requests of others, case by case. The
cases are data in [conformance](../conformance/README.md); each names its source.

A case is **ruled otherwise** if Gatehouse deliberately differs from its source. It then states what
Gatehouse does instead, and the reason stands [below](#ruled-otherwise).

This page is made from the results of \`npm test -- --tier conformance\`, which fails if the page is not up
to date. \`UPDATE_SNAPSHOTS=1\` writes it anew.
`;

/** A group of cases, as its titles in Jest describe it. */
interface Group {
  folder: string;
  source: string;
  ruling: string | undefined;
  cases: number;
  passed: number;
}

/**
 * @returns the page as Markdown
 * @throws Error if the source of a case belongs to no suite
 */
export function conformancePage(report: JestReport): string {
  const groups = groupsOf(report);
  const suites = AREAS.flatMap((area) => area.suites.map((suite) => ({ ...suite, area })));
  const sorted = new Map(suites.map((suite) => [suite, [] as Group[]]));
  for (const group of groups) {
    const suite = suites.find(
      ({ area, sources }) => area.folder === group.folder && sources.test(group.source),
    );
    if (!suite) throw new Error(`no suite for the source "${group.source}"`);
    sorted.get(suite)?.push(group);
  }
  const areas = AREAS.map((area) => {
    const own = [...sorted].filter(([suite]) => suite.area === area);
    const rows = own.map(([suite, its]) => [suite.name, ...countsOf(its)]);
    return `\n## ${area.title}\n\n${tableOf(rows)}`;
  });
  const total = markdownTable([HEAD, ['All', ...countsOf(groups)]]);
  return `${INTRODUCTION}\n${total}${areas.join('')}${rulingsOf(groups)}`;
}

const HEAD = ['Source', 'Cases', 'Passed', 'Ruled otherwise'];

function tableOf(rows: readonly string[][]): string {
  return markdownTable([HEAD, ...rows]);
}

function countsOf(groups: readonly Group[]): string[] {
  const sum = (countOf: (group: Group) => number) =>
    String(groups.reduce((total, group) => total + countOf(group), 0));
  return [
    sum(({ cases }) => cases),
    sum(({ passed }) => passed),
    sum(({ cases, ruling }) => (ruling === undefined ? 0 : cases)),
  ];
}

/** The groups in the order of their files. */
function groupsOf({ testResults }: JestReport): Group[] {
  return [...testResults]
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap(({ name, assertionResults }) => {
      const byTitle = new Map<string, Group>();
      for (const { ancestorTitles, status } of assertionResults) {
        const title = ancestorTitles.at(-1) ?? '';
        const group = byTitle.get(title) ?? newGroup(basename(dirname(name)), title);
        byTitle.set(title, group);
        group.cases += 1;
        if (status === 'passed') group.passed += 1;
      }
      return [...byTitle.values()];
    });
}

function newGroup(folder: string, title: string): Group {
  const [, source = title, ruling] = /^(.*) \[ruling: (.*)\]$/s.exec(title) ?? [];
  return { folder, source, ruling, cases: 0, passed: 0 };
}

function rulingsOf(groups: readonly Group[]): string {
  const items = groups
    .filter(({ ruling }) => ruling !== undefined)
    .map(({ source, cases, ruling = '' }) => {
      const count = cases === 1 ? '1 case' : `${cases} cases`;
      return `- ${source} (${count}): ${ruling.replace(/\.$/, '')}.`;
    });
  return `\n## Ruled otherwise\n\n${items.join('\n')}\n`;
}
