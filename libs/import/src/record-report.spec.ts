import { Progress } from '#local-stack/progress.mjs';
import { RecordReport } from './record-report.js';

function printed(noun: 'key' | 'identity', isDryRun: boolean, counts: Partial<RecordReport>) {
  let text = '';
  const progress = new Progress({ write: (line) => (text += line) });
  const report = Object.assign(new RecordReport(noun, isDryRun), counts);
  report.print(progress, undefined);
  return text.trim().split('\n')[0];
}

it('counts keys in a dry run, and does not claim that identities are new', () => {
  expect(printed('key', true, { imported: 2, unchanged: 1 })).toBe(
    '2 keys would be imported, 1 were there already; 0 conflicts.',
  );
  expect(printed('identity', true, { imported: 2 })).toBe(
    '2 identities would be imported, unless they are there already; 0 conflicts.',
  );
});

it('counts one record in the singular', () => {
  expect(printed('identity', false, { imported: 1, unchanged: 1 })).toBe(
    '1 identity imported, 1 were there already; 0 conflicts.',
  );
  expect(printed('identity', false, { imported: 2 })).toBe(
    '2 identities imported, 0 were there already; 0 conflicts.',
  );
});
