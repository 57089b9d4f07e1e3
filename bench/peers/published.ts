/** Peers that no row measures: figures that they publish, or that were measured once, with their source. */
import { type Bar, plot } from '../runner/plots.js';

const bars = (of: string, values: Record<string, number>): Bar[] =>
  Object.entries(values).map(([name, value], index) => ({
    of: index === 0 ? of : '',
    name,
    value,
  }));

/** The means of two rounds. */
const EVENTS = plot([
  bars('events per second', { floor: 1_818, Svix: 725, Outpost: 483, Gatehouse: 445 }),
  bars('CPU µs', { floor: 812, Svix: 2_341, Outpost: 2_467, Gatehouse: 3_823 }),
  bars('MB', { floor: 180, Svix: 47, Outpost: 97, Gatehouse: 470 }),
]).join('\n');

const FORMS = plot([
  bars('23 fields, µs', { 'form-decoder': 15.2, 'decoderx, kept': 170, decoderx: 647 }),
  bars('200 fields, µs', { 'form-decoder': 148, 'decoderx, kept': 2_593, decoderx: 5_024 }),
  bars('JSON, 23 fields, µs', { 'form-decoder': 28, 'decoderx, kept': 132, decoderx: 604 }),
]).join('\n');

export const PUBLISHED = `### Measured once

**Events that come alone.** [Svix](https://github.com/svix/svix-webhooks) 1.100, with PostgreSQL and Redis, and
[Outpost](https://github.com/hookdeck/outpost), with RabbitMQ, Redis and PostgreSQL, both with their default settings,
beside the floor of \`npm run bench -- lone\` and Gatehouse at commit \`207a0f02\`, in November 2026: 50 endpoints, events
of 300 bytes, two cores, PostgreSQL 15, Node.js 20, two rounds in turn. One driver measured all of them.

| | floor | Svix | Outpost | Gatehouse |
| --- | --: | --: | --: | --: |
| 32 at once: events per second | 1,802, 1,833 | 781, 668 | 485, 481 | 439, 450 |
| 32 at once: CPU µs | 800, 824 | 2,153, 2,528 | 2,505, 2,428 | 3,963, 3,683 |
| 100 a second: CPU µs | 3,114, 2,554 | 5,594, 4,713 | 4,934, 4,660 | 11,974, 10,160 |
| 100 a second: p50 and p99, ms | 3.0 and 10 | 4.5 and 11 | 26 and 55 | 8 and 155 |
| 200 a second: CPU µs | 2,771, 1,747 | 3,760, 3,877 | 3,781, 3,933 | 8,293, 8,483 |
| 200 a second: p50 and p99, ms | 2.1 and 9 | 3.2 and 11 | 39 and 113 | 116 and 677 |
| resident memory of the services, MB | 180 | 47 | 97 | 470 |

32 at once:

${EVENTS}

Gatehouse has become faster since: [its section](#an-event-that-comes-alone-from-the-request-to-its-webhook) has the
figures of today, beside the same floor.

**The server of Polis.** [Ory Polis](https://github.com/ory/polis) 26.2, built from source, with the same requests in
the same hour. It posts the webhook before it answers, and has no log, order or retries. 32 at once: 178 events per
second, 7,700 µs and 400 MB, beside 465 to 614 and 2,725 to 3,737 µs of Gatehouse. One event alone took
Polis less: 12.0 ms beside 18.5 at 25 a second, and at 100 a second 11.2 beside 12.6, with a p99 of 200 beside 437.

**Forms.** [decoderx](https://github.com/ory/x/tree/master/decoderx), which decodes the forms of Ory Kratos, built from
source, beside the library at the same commit, on one core. Kratos compiles the schema for each form; "kept" is
decoderx with a compiler that is kept.

${FORMS}

### Published by their makers

These are from other machines and other loads, so only their order of magnitude compares with the rows above.

- [Ory Talos](https://github.com/ory/talos/blob/main/docs/operate/benchmarks.md), read in November 2026: its commercial
  edition, one process on an Apple M4 Max with PostgreSQL 16, under k6 with up to 437 virtual users that also write:
  16,766 requests per second at the peak. It verifies 3,797 keys per second, with a p95 of 48 ms and a p99 of 95 ms.
- [Unkey](https://www.unkey.com/blog/serverless-exit), read in November 2026: no rate, but a factor. Its servers in Go
  answer six times faster than its Cloudflare Workers, whose cache alone took 30 ms at p99.
`;
