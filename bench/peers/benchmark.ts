import { besideQs } from '../decode/beside-qs.js';
import { besideUndici } from '../delivery/beside-undici.js';
import { type Benchmark, type Row } from '../runner/types.js';
import { besideJackson, JACKSON } from '../scim/beside-jackson.js';
import { besideFormidable } from './forms.js';
import { besideNext } from './jackson.js';
import { besideBetterAuth } from './keys.js';
import { PUBLISHED } from './published.js';

const PEERS = {
  ...JACKSON,
  next: '16.4.6',
  react: '19.3.1',
  'react-dom': '19.3.1',
  'better-auth': '1.7.5',
  '@better-auth/api-key': '1.7.5',
  // A newer one does not fit the plugin.
  '@better-auth/core': '1.7.5',
  formidable: '3.5.4',
};

const VERSIONS = Object.entries(PEERS).map(([name, version]) => `\`${name}\` ${version}`);

const CONFIGURATION = `### How the sides are set up

Both sides of a row have the same stores, as many connections to PostgreSQL, the same core and the same load, and they
log only warnings. The peers are ${VERSIONS.join(', ')}, from npm. \`qs\`, \`ajv\` and \`undici\` are those of
\`package.json\`.

- **SCIM in process**: the same calls of \`requests.handle\`, eight in flight, on databases whose commits do not wait for
  the disk.
- **SCIM over HTTP**: Jackson in a route of Next.js like that of Ory Polis, built by \`next build\` and run by the
  standalone server. Commits wait for the disk. Neither side has a webhook; Gatehouse also keeps the event and the
  request in its logs.
- **Keys**: 1,000 keys without limits, of which 100 are verified in turn. better-auth offers verification only as a
  call in process, so over HTTP a route of bare Fastify makes that call. Its limit of ten requests a day is off. It
  writes the time of each use, by commits that do not wait for the disk. Gatehouse counts uses in memory and writes
  them every 5 seconds. From PostgreSQL: \`Cache-Control: no-store\`, and the default of better-auth. From a cache: the
  memory of the key service, and Redis as the secondary storage of better-auth.
- **Forms**: the schema is compiled once on both sides. The peers get the form without the hidden fields of checkboxes,
  which they cannot interpret.
- **Delivery**: the latencies are those of a hundred events. The peer posts bytes that were signed before, and keeps no
  log and no order. Gatehouse makes the body of each event, signs it twice, checks the address, and keeps the attempt.`;

export const benchmark: Benchmark = {
  title: 'Beside peers',
  note: `${CONFIGURATION}\n\n${PUBLISHED}`,
  isPlotted: true,
  postgres: true,
  redis: true,
  peers: PEERS,
  rows: [
    ...besideJackson,
    ...besideNext,
    ...besideBetterAuth,
    besideQs,
    ...besideFormidable,
    ...besideUndici,
  ].map(withoutAim),
};

/** Aims are those of the benchmarks that a row comes from. */
function withoutAim(row: Row): Row {
  return { ...row, aim: undefined, limit: undefined };
}
