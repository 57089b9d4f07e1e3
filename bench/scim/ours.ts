/** Our side: `requests.handle` of the controller object, as an embedding program calls it. */
import { randomUUID } from 'node:crypto';
import {
  createDirectorySync,
  databaseDefinition,
  type DirectorySync,
  scimTarget,
} from '@gatehouse/directory-sync';
import { createDataSource } from '@gatehouse/nest-kit/database';
import { type ProcessContext, type ProcessWork } from '../runner/types.js';
import { type ScimResult, type Send, type WorkName, type WorkOptions, works } from './works.js';

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
  /** Logs each request, as the service does. */
  isLogged?: boolean;
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
  const answer: Send = (call) =>
    sync.requests.handle({ ...call, directoryId: id, apiSecret: secret }, async () => {});
  const send = options.isLogged ? logged(answer, sync.requestLog, id) : answer;
  const work = await works[options.work](send, options.with ?? {});
  const close = async () => {
    await sync.requestLog.close();
    await dataSource.destroy();
  };
  return { ...work, close };
}

/** Logs what it sends, as the routes of the service do. */
function logged(send: Send, log: DirectorySync['requestLog'], directoryId: string): Send {
  const access = { directoryId, isAuthorized: true, tokenId: null, captureUntil: null };
  return async (call) => {
    const startedAt = performance.now();
    const response = await send(call);
    const path = '/Users';
    const request = {
      directoryId,
      apiSecret: '',
      method: call.method,
      target: scimTarget(path),
      query: call.query ?? {},
      body: call.body,
    };
    log.record({
      access,
      requestId: randomUUID(),
      method: call.method,
      path,
      userAgent: 'Okta SCIM Client 1.0.0',
      status: response.status,
      durationMs: performance.now() - startedAt,
      request,
      response,
    });
    return response;
  };
}
