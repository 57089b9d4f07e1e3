/** Parsers of settings that only the worker has. The message of a thrown Error says what is expected. */
import { CronExpressionParser } from 'cron-parser';

/** WORKSPACE_SYNC_CRON: runs are started on demand only. */
export const NO_SCHEDULE = 'never';

export function asSchedule(text: string): string {
  if (text !== NO_SCHEDULE) CronExpressionParser.parse(text);
  return text;
}

export function asRatio(text: string): number {
  const ratio = Number(text);
  if (/^[01](\.\d{1,6})?$/.test(text) && ratio <= 1) return ratio;
  throw new Error('must be a number from 0 to 1, such as 0.2');
}
