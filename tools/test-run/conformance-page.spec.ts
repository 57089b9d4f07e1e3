import { conformancePage } from './conformance-page.js';

const test = (title: string, status = 'passed') => ({
  status,
  fullName: '',
  ancestorTitles: ['a scenario', title],
});

const reportOf = (folder: string, ...assertionResults: ReturnType<typeof test>[]) => ({
  numPassedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [
    { name: `conformance/${folder}/a.conformance-spec.ts`, status: 'passed', assertionResults },
  ],
});

/** The cells of the row whose first one contains the text. */
function rowOf(page: string, text: string): string[] {
  const line = page.split('\n').find((each) => each.startsWith('|') && each.includes(text)) ?? '';
  return line.split('|').map((cell) => cell.trim());
}

describe('the page of conformance', () => {
  it('counts the cases of a source, those that passed, and those that are ruled otherwise', () => {
    const report = reportOf(
      'scim',
      test('Okta group push'),
      test('Okta group push', 'failed'),
      test('Okta group push [ruling: why not.]'),
    );
    const page = conformancePage(report);
    expect(rowOf(page, 'Okta').slice(2, 5)).toEqual(['3', '2', '1']);
    expect(rowOf(page, 'OneLogin').slice(2, 5)).toEqual(['0', '0', '0']);
    expect(page).toContain('- Okta group push (1 case): why not.\n');
  });

  it('cannot be made when the source of a case belongs to no suite', () => {
    expect(() => conformancePage(reportOf('scim', test('An unknown client')))).toThrow(
      'no suite for the source "An unknown client"',
    );
  });
});
