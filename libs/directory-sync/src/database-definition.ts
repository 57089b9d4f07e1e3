import { Directory } from './directories/directory.entity.js';
import { CreateDirectories1763640000001 } from './migrations/1763640000001-create-directories.js';
import { CreateEventLog1763640000002 } from './migrations/1763640000002-create-event-log.js';
import { LetWritersMeetNowhere1763640000003 } from './migrations/1763640000003-let-writers-meet-nowhere.js';
import { OrderWhatMayBeMissing1763640000004 } from './migrations/1763640000004-order-what-may-be-missing.js';
import { ListDirectoriesByAge1763640000005 } from './migrations/1763640000005-list-directories-by-age.js';

/** What directory sync keeps in PostgreSQL, and the migrations that make its tables, in order. */
export const databaseDefinition = {
  schema: 'dsync',
  entities: [Directory],
  migrations: [
    CreateDirectories1763640000001,
    CreateEventLog1763640000002,
    LetWritersMeetNowhere1763640000003,
    OrderWhatMayBeMissing1763640000004,
    ListDirectoriesByAge1763640000005,
  ],
};
