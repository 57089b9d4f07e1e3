// @ts-check
/**
 * Our side: `requests.handle` of the controller, with what an embedding program gives it.
 */
import { createDataSource } from '../../dist/apps/dsync-api/src/data-source.js';
import { createDirectorySync } from '../../dist/libs/directory-sync/src/index.js';
import * as works from './work.mjs';

/** @typedef {{ url: string, directory: { id: string, secret: string } }} Place */

/**
 * @param {string} url of a migrated database
 */
export async function openDirectorySync(url) {
  const dataSource = createDataSource(url);
  await dataSource.initialize();
  const sync = createDirectorySync({
    dataSource,
    externalUrl: 'http://127.0.0.1',
    encryptionKeys: ['bench-encryption-key-0123456789abcdef'],
    limits: { pageSizeMax: 20_000 },
  });
  return { dataSource, sync };
}

/**
 * @param {Awaited<ReturnType<typeof openDirectorySync>>['sync']} sync
 * @returns {Promise<Place['directory']>}
 */
export async function createDirectory(sync) {
  const { data, error } = await sync.directories.create({
    tenant: 'bench',
    product: 'bench',
    type: 'okta-scim-v2',
  });
  if (data === null) throw new Error(error.message);
  return { id: data.id, secret: data.scim.secret };
}

/**
 * @param {{ options: Place & { work: keyof typeof works, with?: any } }} context
 */
export async function prepare({ options }) {
  const { dataSource, sync } = await openDirectorySync(options.url);
  const { id, secret } = options.directory ?? (await createDirectory(sync));
  const work = await /** @type {any} */ (works[options.work])(
    (/** @type {works.Call} */ call) =>
      sync.requests.handle({ ...call, directoryId: id, apiSecret: secret }, async () => {}),
    options.with,
  );
  return { ...work, close: () => dataSource.destroy() };
}
