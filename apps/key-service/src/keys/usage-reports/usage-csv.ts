/** Usage as CSV (RFC 4180). */
import { NAMES, type UsagePoint } from './usage-queries.js';
import { type Dimension } from './usage-query.js';

export function usageCsv(points: readonly UsagePoint[], groupBy: readonly Dimension[]): string {
  const columns = ['time', ...groupBy.map((each) => NAMES[each]), 'count', 'cost'] as const;
  const lines = points.map((point) => columns.map((name) => field(point[name] ?? '')).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}

/** Spreadsheets would run a value that begins as a formula does. */
function field(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
