/**
 * The shapes of a benchmark entry; bench/README.md explains them with examples.
 *
 * @typedef {object} Aim
 * @property {number} [ratio] at least this many times the floor's rate
 * @property {number} [ratePerSecond] at least this many units per second
 * @property {number} [atMost] for a measure row: at most this much
 * @property {number} [atLeast] for a measure row: at least this much
 *
 * @typedef {object} LoadRequest
 * @property {string} method
 * @property {string} path `{{n}}` in it stands for a 12-digit number that was never used before
 * @property {Record<string, string>} [headers]
 * @property {string} [body] may hold `{{n}}` too
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Record<string, string>} headers names in lower case
 * @property {string} body
 *
 * @typedef {object} Load
 * @property {LoadRequest[]} requests sent round-robin
 * @property {(answer: Answer) => void} check throws when an answer is wrong
 *
 * @typedef {object} RunningServer
 * @property {string} url
 * @property {string} metricsUrl
 * @property {number} pid
 * @property {() => Promise<void>} stop
 *
 * @typedef {object} HttpSide
 * @property {string} name
 * @property {string} script path from the repository root; run by node with HOST, PORT, METRICS_PORT
 * @property {string[]} [nodeArgs]
 * @property {string} ready path that answers 200 once the server may be used
 * @property {(context: BenchContext) => Promise<Record<string, string>> | Record<string, string>} [env]
 * @property {(server: RunningServer, context: BenchContext) => Promise<Load> | Load} prepare
 *
 * @typedef {object} HttpRow
 * @property {'http'} kind
 * @property {string} name
 * @property {HttpSide} subject
 * @property {HttpSide} [floor]
 * @property {Aim} [aim]
 * @property {number} [connections] default 32
 * @property {number} [perRequest] units that one request stands for, default 1
 * @property {string} [unit] default "requests"
 *
 * @typedef {object} ProcessSide
 * @property {string} name
 * @property {string} script path from the repository root; exports `prepare`
 * @property {string[]} [nodeArgs]
 * @property {unknown | ((context: BenchContext) => unknown)} [options] cloned into the child process
 *
 * @typedef {object} ProcessRow
 * @property {'process'} kind
 * @property {string} name
 * @property {ProcessSide} subject
 * @property {ProcessSide} [floor]
 * @property {Aim} [aim]
 * @property {number} [concurrency] calls in flight, default 1
 * @property {number} [perRequest]
 * @property {string} [unit] default "calls"
 *
 * @typedef {object} MeasureTools
 * @property {(side: HttpSide) => Promise<RunningServer>} startServer pinned to the server core
 * @property {(pid: number) => number} rssBytes resident memory now
 *
 * @typedef {object} MeasureRow
 * @property {'measure'} kind
 * @property {string} name
 * @property {string} unit
 * @property {Aim} [aim]
 * @property {(context: BenchContext, tools: MeasureTools) => Promise<number>} measure
 *
 * @typedef {HttpRow | ProcessRow | MeasureRow} Row
 *
 * @typedef {object} Benchmark
 * @property {string} title
 * @property {string[]} [build] Nx projects to build first
 * @property {boolean} [postgres]
 * @property {boolean} [redis]
 * @property {Record<string, string>} [peers] npm packages to measure against, name to exact version
 * @property {(context: BenchContext) => Promise<unknown>} [setup] its result is `context.state`
 * @property {Row[]} rows
 *
 * @typedef {object} BenchContext
 * @property {string} root the repository
 * @property {(name: string) => Promise<string>} databaseUrl a fresh database for each name, dropped at the end
 * @property {(app: import('../local-stack/migrations.mjs').MigratingApp, databaseUrl: string) => Promise<void>} migrate
 * @property {string} redisUrl
 * @property {string} redisNamespace
 * @property {string} peersDir
 * @property {any} state what `setup` returned
 * @property {Answer | undefined} sample the subject's first answer in the row that runs
 * @property {(text: string) => void} log
 * @property {(close: () => Promise<void> | void) => void} onClose
 *
 * What one round of load found; latencies in milliseconds.
 * @typedef {object} Round
 * @property {number} ratePerSecond in units
 * @property {number} p50Ms
 * @property {number} p99Ms
 * @property {number} [cpuMicrosPerUnit] processor time of the server side
 *
 * @typedef {object} SideResult
 * @property {string} name
 * @property {Round[]} rounds
 * @property {Round} median
 *
 * @typedef {object} RowResult
 * @property {string} name
 * @property {string} unit
 * @property {SideResult} [subject]
 * @property {SideResult} [floor]
 * @property {number} [ratio]
 * @property {number[]} [ratios] one a round
 * @property {number} [cpuRatio] the same by processor time, which other programs disturb less
 * @property {number} [value] of a measure row
 * @property {Aim} [aim]
 * @property {boolean | undefined} reached undefined without an aim
 *
 * @typedef {object} BenchOptions
 * @property {number} rounds
 * @property {number} seconds
 * @property {number} warmupSeconds
 * @property {number | undefined} connections
 * @property {string | undefined} only
 * @property {boolean} keep
 * @property {boolean} strict
 * @property {boolean} profile
 */

export {};
