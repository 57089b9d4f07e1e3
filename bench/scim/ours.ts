/** Our side: `requests.handle` of the controller object, as an embedding program calls it. */
import { createDirectorySync, databaseDefinition } from '@gatehouse/directory-sync';
import { createDataSource } from '@gatehouse/nest-kit/database';
import { type ProcessContext, type ProcessWork } from '../runner/types.js';
import { type ScimResult, type WorkName, type WorkOptions, works } from './works.js';

/** A database, and a directory in it. */
export interface FilledDirectory {
  url: string;
  directory: { id: string; secret: string };
}

export interface OurOptions extends Omit<FilledDirectory, 'directory'> {
  /** Created when absent. */
  directory?: FilledDirectory['directory'];
  work: WorkName;
  with?: WorkOptions;
}

/** `url` names a migrated database. */
export async function openDirectorySync(url: string) {
  const dataSource = createDataSource({ databaseUrl: url, ...databaseDefinition });
  await dataSource.initialize();
  const sync = createDirectorySync({
    dataSource,
    externalUrl: 'http://127.0.0.1',
    encryptionKeys: ['bench-encryption-key-0123456789abcdef'],
    limits: { pageSizeMax: 20_000 },
  });
  return { dataSource, sync };
}

export async function createDirectory(
  sync: Awaited<ReturnType<typeof openDirectorySync>>['sync'],
): Promise<FilledDirectory['directory']> {
  const options = { tenant: 'bench', product: 'bench', type: 'okta-scim-v2' };
  const { data, error } = await sync.directories.create(options);
  if (data === null) throw new Error(error.message);
  return { id: data.id, secret: data.scim.secret };
}

export async function prepare({
  options,
}: ProcessContext<OurOptions>): Promise<ProcessWork<ScimResult>> {
  const { dataSource, sync } = await openDirectorySync(options.url);
  const { id, secret } = options.directory ?? (await createDirectory(sync));
  const work = await works[options.work](
    (call) => sync.requests.handle({ ...call, directoryId: id, apiSecret: secret }, async () => {}),
    options.with ?? {},
  );
  return { ...work, close: () => dataSource.destroy() };
}
