import { createDataSource, migrate } from '@gatehouse/nest-kit/database';
import { checkEventsIn, createMigratedDatabase, type TestDatabase } from '@gatehouse/testing';
import { type DataSource } from 'typeorm';
import {
  createDirectorySync,
  type DirectorySync,
  type DirectorySyncOptions,
} from '../src/controller.js';
import { databaseDefinition } from '../src/database-definition.js';
import { type DirectoryView, type NewDirectory } from '../src/directories/directory.types.js';
import { type DirectoryEvent } from '../src/events/event.types.js';
import { type EventCallback } from '../src/scim/requests/scim-requests.js';
import { scimTarget } from '../src/scim/requests/scim-target.js';
import { type ScimResponse, type ScimRequest } from '../src/scim/protocol/scim.types.js';

export const ENCRYPTION_KEYS = ['a key of at least thirty-two characters'];
export const EXTERNAL_URL = 'https://sync.example.com';
const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** JSON whose shape the test knows. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export interface Answer extends Omit<ScimResponse, 'data'> {
  data: Json;
}

/** A directory with a function to send SCIM requests as its identity provider. */
export interface TestDirectory extends DirectoryView {
  send(
    method: string,
    path: string,
    body?: unknown,
    options?: Partial<ScimRequest> & { callback?: EventCallback },
  ): Promise<Answer>;
}

export interface TestSync {
  dataSource: DataSource;
  sync: DirectorySync;
  /** Lanes that were woken, in order. */
  woken: string[];
  newDirectory(input?: Partial<NewDirectory>): Promise<TestDirectory>;
  /** All events of a directory, oldest first. */
  eventsOf(directory: DirectoryView): Promise<DirectoryEvent[]>;
  close(): Promise<void>;
}

/** A fresh database with the tables of directory sync. */
export function createSyncDatabase(): Promise<TestDatabase> {
  return createMigratedDatabase('dsync-api', (databaseUrl) =>
    migrate(createDataSource({ databaseUrl, ...databaseDefinition })),
  );
}

/** A controller object on a migrated database. */
export async function openSync(
  databaseUrl: string,
  options: Partial<DirectorySyncOptions> = {},
): Promise<TestSync> {
  const dataSource = createDataSource({ databaseUrl, ...databaseDefinition, poolMax: 16 });
  await dataSource.initialize();
  const woken: string[] = [];
  const sync = createDirectorySync({
    dataSource,
    externalUrl: EXTERNAL_URL,
    encryptionKeys: ENCRYPTION_KEYS,
    outbound: { allowPrivate: true },
    wakeLane: (id) => woken.push(id),
    ...options,
  });
  return {
    dataSource,
    sync,
    woken,
    newDirectory: async (input = {}) => {
      const created = await sync.directories.create({
        tenant: `tenant-${Math.random().toString(36).slice(2)}`,
        product: 'product',
        ...input,
      });
      if (created.error) throw new Error(created.error.message);
      return { ...created.data, send: sender(sync, created.data) };
    },
    eventsOf: async ({ id }) => {
      const { data, error } = await sync.events.getAll({ directoryId: id, limit: 1_000 });
      if (error) throw new Error(error.message);
      checkEventsIn(data);
      return data;
    },
    close: async () => {
      await sync.close();
      await dataSource.destroy();
    },
  };
}

function sender(sync: TestSync['sync'], directory: DirectoryView): TestDirectory['send'] {
  return async (method, path, body, { callback, ...options } = {}) => {
    const [pathname = '', search = ''] = path.split('?', 2);
    const call: ScimRequest = {
      directoryId: directory.id,
      apiSecret: directory.scim.secret,
      method,
      target: scimTarget(pathname),
      query: Object.fromEntries(new URLSearchParams(search)),
      body,
      ...options,
    };
    if (callback === undefined) return sync.requests.scim.respond(call);
    const events: DirectoryEvent[] = [];
    const answer = await sync.requests.scim.respond(call, (event) => {
      events.push(event);
      return callback(event);
    });
    checkEventsIn(events);
    return answer;
  };
}

export function user(userName: string, more: object = {}): object {
  return { schemas: [USER_SCHEMA], userName, ...more };
}

export function group(displayName: string, memberIds: readonly string[] = []): object {
  const members = memberIds.map((value) => ({ value }));
  return { schemas: [GROUP_SCHEMA], displayName, members };
}

export function patch(...operations: object[]): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: operations,
  };
}

/** The path of a query with its filter encoded. */
export function filtered(resource: 'Users' | 'Groups', filter: string, more = ''): string {
  return `/${resource}?filter=${encodeURIComponent(filter)}${more}`;
}
