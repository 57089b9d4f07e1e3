/** The other side: `@boxyhq/saml-jackson` in process, on its own PostgreSQL database. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type ProcessContext, type ProcessWork } from '../runner/types.js';
import { type ScimCall, type ScimResult, type WorkName, works } from './works.js';

/** As much of the package as is used here. */
interface Jackson {
  controllers: (options: object) => Promise<{
    directorySyncController: {
      directories: {
        create: (options: object) => Promise<{
          data: { id: string; scim: { secret: string } };
          error: Error | null;
        }>;
      };
      requests: {
        handle: (
          call: ScimCall & { directoryId: string; apiSecret: string },
          callback: () => Promise<void>,
        ) => Promise<ScimResult>;
      };
    };
    close: () => Promise<void>;
  }>;
}

export async function prepare({
  options,
  peersDir,
}: ProcessContext<{ url: string; work: WorkName }>): Promise<ProcessWork<ScimResult>> {
  const require = createRequire(join(peersDir, 'package.json'));
  const { controllers } = require('@boxyhq/saml-jackson') as Jackson;
  const url = new URL(options.url);
  // Our side has as many connections.
  url.searchParams.set('pool_max_conns', '10');
  const silent = () => {};
  const error = (text: string) => process.stderr.write(`${text}\n`);
  const jackson = await controllers({
    externalUrl: 'http://127.0.0.1',
    samlPath: '/api/oauth/saml',
    noAnalytics: true,
    logger: { info: silent, warn: silent, error },
    db: { engine: 'sql', type: 'postgres', url: url.href, pageLimit: 1_000 },
  });
  const { directories, requests } = jackson.directorySyncController;
  const created = await directories.create({
    tenant: 'bench',
    product: 'bench',
    type: 'okta-scim-v2',
  });
  if (created.error) throw new Error(created.error.message);
  const { id, scim } = created.data;
  const work = await works[options.work]((call) => {
    // The peer modifies the body that it is given.
    const body = structuredClone(call.body);
    const request = { query: {}, ...call, body, directoryId: id, apiSecret: scim.secret };
    return requests.handle(request, async () => {});
  }, {});
  return { ...work, close: () => jackson.close() };
}
