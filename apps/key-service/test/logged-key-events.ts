import { EventLog, KEY_EVENTS } from '@gatehouse/delivery';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { type LoggedKeyEventType } from '@gatehouse/schemas';
import { type DataSource } from 'typeorm';

/** The events of keys in a database, oldest first. */
export function loggedKeyEvents(dataSource: DataSource, limit = 5_000) {
  const log = new EventLog<LoggedKeyEventType>(sqlOf(dataSource), KEY_EVENTS.schema);
  return log.page(KEY_EVENTS.sourceId, undefined, limit, undefined);
}
