/** A directory sync for tests, into which a Polis is imported, and which its providers then use. */
import {
  createDirectorySync,
  databaseDefinition,
  type DirectorySync,
} from '@gatehouse/directory-sync';
import {
  createDirectoryImports,
  type DirectoryReport,
  type SourceDirectory,
} from '@gatehouse/directory-sync/imports';
import { createDataSource, migrate } from '@gatehouse/nest-kit/database';
import { createMigratedDatabase, type TestDatabase } from '@gatehouse/testing';
import { type PolisSource } from '../src/polis/polis-records.js';
import { type Memory, type Send, type Traffic } from './provider-traffic.js';

export interface ImportTarget {
  database: TestDatabase;
  encryptionKey: string;
  sync: DirectorySync;
  importAll(source: PolisSource): Promise<Imported[]>;
  close(): Promise<void>;
}

export interface Imported {
  directory: SourceDirectory;
  report: DirectoryReport;
}

export async function openImportTarget(): Promise<ImportTarget> {
  const sourceOf = (databaseUrl: string) =>
    createDataSource({ databaseUrl, ...databaseDefinition });
  const database = await createMigratedDatabase('dsync-api', (url) => migrate(sourceOf(url)));
  const dataSource = await sourceOf(database.url).initialize();
  const encryptionKey = 'a key of at least thirty-two characters';
  const settings = {
    dataSource,
    encryptionKeys: [encryptionKey],
    outbound: { allowPrivate: true },
  };
  const sync = createDirectorySync({ ...settings, externalUrl: 'https://sync.example.com' });
  const imports = createDirectoryImports(settings);
  return {
    database,
    encryptionKey,
    sync,
    importAll: async (source) => {
      const imported: Imported[] = [];
      for await (const directory of source.directories()) {
        const content = source.contentOf(directory);
        const options = { isDryRun: false, isDelta: false };
        const report = await imports.importDirectory(directory, content, options);
        imported.push({ directory, report });
      }
      return imported;
    },
    close: async () => {
      await sync.close();
      await dataSource.destroy();
      await database.drop();
    },
  };
}

/** Continues the traffic of a provider with the id, the secret and the ids that it knows from Polis. */
export async function continueTraffic(
  { sync }: ImportTarget,
  traffic: Traffic,
  directory: { id: string; secret: string },
  memory: Memory,
): Promise<void> {
  const send: Send = async (method, path, body) => {
    const [pathname = '', search = ''] = path.split('?', 2);
    const [resourceType = '', resourceId = ''] = pathname.split('/').slice(1);
    const query = Object.fromEntries(new URLSearchParams(search));
    const { status, data } = await sync.requests.handle({
      method,
      body,
      resourceId,
      resourceType: resourceType.toLowerCase() as 'users' | 'groups',
      directoryId: directory.id,
      apiSecret: directory.secret,
      query,
    });
    return { status, data: data as never };
  };
  await traffic.after(send, memory);
}
