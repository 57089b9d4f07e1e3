// @ts-check
/**
 * The other side: `@boxyhq/saml-jackson` in process, on a PostgreSQL database of its own.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as works from './work.mjs';

/**
 * @param {{ options: { url: string, work: keyof typeof works }, peersDir: string }} context
 */
export async function prepare({ options, peersDir }) {
  const require = createRequire(join(peersDir, 'package.json'));
  const { controllers } = require('@boxyhq/saml-jackson');
  const quiet = () => {};
  const url = new URL(options.url);
  // As many connections as our side has.
  url.searchParams.set('pool_max_conns', '10');
  const jackson = await controllers({
    externalUrl: 'http://127.0.0.1',
    samlPath: '/api/oauth/saml',
    noAnalytics: true,
    logger: { info: quiet, warn: quiet, error: console.error },
    db: { engine: 'sql', type: 'postgres', url: url.href, pageLimit: 1_000 },
  });
  const { directories, requests } = jackson.directorySyncController;
  const { data, error } = await directories.create({
    tenant: 'bench',
    product: 'bench',
    type: 'okta-scim-v2',
  });
  if (error) throw new Error(error.message);
  const work = await /** @type {any} */ (works[options.work])((/** @type {works.Call} */ call) =>
    requests.handle(
      // It adds to the body that it is given.
      {
        query: {},
        ...call,
        body: structuredClone(call.body),
        directoryId: data.id,
        apiSecret: data.scim.secret,
      },
      async () => {},
    ),
  );
  return { ...work, close: () => jackson.close() };
}
