import { type LogEvent } from './event-log.js';
import { clockTime } from '../output/times.js';
import { printableLine } from '../output/text.js';

const NAMES = ['email', 'name', 'key_id', 'identity_id', 'id'];

/** One line: time, type, whom it is about, id. */
export function eventLine(event: LogEvent): string {
  const { created_at, event: type, tenant, product, data, id } = event;
  const texts = NAMES.map((each) => data[each]).filter((each) => typeof each === 'string');
  const name = texts.find((each) => each !== '') ?? '';
  const place = tenant === undefined ? '' : `${tenant}/${product ?? ''} `;
  return printableLine(`${clockTime(created_at)} ${type.padEnd(18)} ${place}${name}  ${id}`);
}
