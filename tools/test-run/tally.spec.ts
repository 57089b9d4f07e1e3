import { Tally } from './tally.js';

const report = (...statuses: string[]) => ({
  numPassedTests: statuses.filter((status) => status === 'passed').length,
  numPendingTests: statuses.filter((status) => status === 'pending').length,
  numTodoTests: 0,
  testResults: [
    {
      name: 'a.spec.ts',
      status: statuses.includes('failed') ? 'failed' : 'passed',
      assertionResults: statuses.map((status, index) => ({
        status,
        fullName: `test ${index}`,
        ancestorTitles: [],
      })),
    },
  ],
});

describe('Tally', () => {
  it('ends with one line for programs, whatever came before', () => {
    const tally = new Tally();
    tally.pass();
    tally.addJest(report('passed', 'failed', 'pending'));
    expect(tally.summary()).toEqual([
      'Failed:',
      '  a.spec.ts: test 1',
      '1 tests were skipped',
      '2 passed, 1 failed',
    ]);
  });

  it('counts a suite that could not be loaded as a failure', () => {
    const tally = new Tally();
    tally.addJest({
      ...report(),
      testResults: [{ name: 'broken.spec.ts', status: 'failed', assertionResults: [] }],
    });
    expect(tally.summary()).toEqual([
      'Failed:',
      '  broken.spec.ts: did not run',
      '0 passed, 1 failed',
    ]);
  });
});
