/** Other servers for webhooks, measured beside ours in one run, for docs/performance.md. */
export const PEERS = `Other servers for webhooks, beside the same floor and Gatehouse at commit \`207a0f02\`: 50
endpoints, events of 300 bytes, two cores, PostgreSQL 15, Node.js 20, two rounds in turn. One driver, not this
benchmark, measured all of them. [Svix](https://github.com/svix/svix-webhooks) 1.100 ran with PostgreSQL and Redis,
[Outpost](https://github.com/hookdeck/outpost) with RabbitMQ, Redis and PostgreSQL, both with their default settings.

| | floor | Svix | Outpost | Gatehouse |
| --- | --: | --: | --: | --: |
| 32 at once: events per second | 1,802, 1,833 | 781, 668 | 485, 481 | 439, 450 |
| 32 at once: CPU µs | 800, 824 | 2,153, 2,528 | 2,505, 2,428 | 3,963, 3,683 |
| 100 a second: CPU µs | 3,114, 2,554 | 5,594, 4,713 | 4,934, 4,660 | 11,974, 10,160 |
| 100 a second: p50 and p99, ms | 3.0 and 10 | 4.5 and 11 | 26 and 55 | 8 and 155 |
| 200 a second: CPU µs | 2,771, 1,747 | 3,760, 3,877 | 3,781, 3,933 | 8,293, 8,483 |
| 200 a second: p50 and p99, ms | 2.1 and 9 | 3.2 and 11 | 39 and 113 | 116 and 677 |`;
