/** The shapes of a benchmark entry. bench/README.md explains them with examples. */
import { type MigratingApp } from '#local-stack/migrations.mjs';

export interface Benchmark {
  title: string;
  /** What docs/performance.md says below the tables. */
  note?: string;
  /** Whether a row needs PostgreSQL or Redis. */
  postgres?: boolean;
  redis?: boolean;
  /** The rows measure whole systems: nothing is pinned to a core, and PostgreSQL counts statements. */
  isSystem?: boolean;
  /** Instead of the runner's defaults. */
  seconds?: number;
  warmupSeconds?: number;
  /** docs/performance.md shows both sides of each row as bars. */
  isPlotted?: boolean;
  /** npm packages to measure against, name to exact version. */
  peers?: Record<string, string>;
  rows: Row[];
}

export type Row = HttpRow | ProcessRow | SystemRow | MeasureRow | SeriesRow;
export type ComparedRow = HttpRow | ProcessRow | SystemRow;

interface RowBase {
  name: string;
  aim?: Aim;
  /** The bottleneck that its profile shows; docs/performance.md says so while the aim is missed. */
  limit?: string;
}

/** Lower bounds for the ratios to the floor and the rate; bounds for the value of a measure row. */
export interface Aim {
  ratio?: number;
  cpuRatio?: number;
  ratePerSecond?: number;
  atMost?: number;
  atLeast?: number;
}

export interface HttpRow extends RowBase {
  kind: 'http';
  subject: HttpSide;
  /** A process side makes the same calls without HTTP. */
  floor?: HttpSide | ProcessSide;
  /** Default 32; calls in flight of a process side. */
  connections?: number;
  /** Units in one request, default 1. */
  perRequest?: number;
  /** Default "requests". */
  unit?: string;
}

export interface HttpSide {
  name: string;
  /** Path from the repository root, run by node with HOST, PORT and METRICS_PORT. */
  script: string;
  /** The setting that names the port under load, by default PORT. */
  portSetting?: string;
  /** Path that answers 200 once the server is ready. */
  ready: string;
  env?: (context: BenchContext) => Promise<Record<string, string>> | Record<string, string>;
  prepare: (server: RunningServer, context: BenchContext) => Promise<Load> | Load;
}

export interface RunningServer {
  url: string;
  pid: number;
  stop: () => Promise<void>;
}

export interface Load {
  /** Sent round-robin. */
  requests: LoadRequest[];
  /** Throws when a response is wrong. */
  check: (response: SampleResponse) => void;
}

/** `{{n}}` in the path or the body becomes a 12-digit number that is never used twice. */
export interface LoadRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface SampleResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

export interface ProcessRow extends RowBase {
  kind: 'process';
  subject: ProcessSide;
  floor?: ProcessSide;
  /** Calls in flight, default 1. */
  concurrency?: number;
  /** Units in one call, default 1. */
  perCall?: number;
  /** Default "calls". */
  unit?: string;
}

export interface ProcessSide {
  name: string;
  /** Path from the repository root; the module exports `prepare`. */
  script: string;
  /** Cloned into the child process. */
  options?: object | ((context: BenchContext) => Promise<object>);
}

/** The argument of `prepare` in a script of a process row. */
export interface ProcessContext<Options> {
  options: Options;
  peersDir: string;
}

/** The result of `prepare`. `n` counts up and never repeats. */
export interface ProcessWork<Result> {
  run: (n: number) => Result | Promise<Result>;
  check?: (result: Result) => void | Promise<void>;
  close?: () => Promise<void> | void;
}

export interface SystemRow extends RowBase {
  kind: 'system';
  subject: SystemSide;
  floor?: SystemSide;
  unit: string;
}

/** Several processes and their use of the stores, measured together. */
export interface SystemSide {
  name: string;
  start: (context: BenchContext, settings: SideSettings) => Promise<RunningSide>;
}

export interface MeasureRow extends RowBase {
  kind: 'measure';
  unit: string;
  measure: (context: BenchContext, tools: MeasureTools) => Promise<number>;
}

/**
 * The same work at several sizes or loads. The ratios are those of the last point
 * to the first.
 */
export interface SeriesRow extends RowBase {
  kind: 'series';
  /** The quantity that grows from point to point. */
  axis: string;
  points: SeriesPoint[];
}

export interface SeriesPoint {
  x: number;
  side: HttpSide | ProcessSide | SystemSide;
  /** Requests or calls in flight, default 32. */
  connections?: number;
}

export interface MeasureTools {
  /** Pinned to the core of the server side. */
  startServer: (side: HttpSide) => Promise<RunningServer>;
  /** Resident memory now. */
  rssBytes: (pid: number) => number;
}

export interface BenchContext {
  /** The repository. */
  root: string;
  peersDir: string;
  redisUrl: string;
  redisNamespace: string;
  /** The subject's first response in the current row. */
  sample: SampleResponse | undefined;
  /** A new database for each name, dropped after the run. */
  databaseUrl: (name: string) => Promise<string>;
  migrate: (app: MigratingApp, databaseUrl: string) => Promise<void>;
  log: (text: string) => void;
  onClose: (close: () => Promise<void> | void) => void;
}

/** A side of an HTTP or process row after its start and its first check. */
export interface RunningSide {
  run: (seconds: number) => Promise<Round>;
  check: () => Promise<unknown>;
  stop: () => Promise<void>;
}

/** The figures of one round; latencies in milliseconds. */
export interface Round {
  ratePerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time of the server side; undefined where the system does not report it. */
  cpuMicrosPerUnit?: number;
  /** Resident memory of the server side after the round; undefined as above. */
  residentMb?: number;
  /** What else a unit takes, by the name of its column. */
  each?: Record<string, number>;
}

export interface SideResult {
  name: string;
  rounds: Round[];
  median: Round;
}

/** The result of a benchmark run, stored as `.local/bench/<name>.json`. */
export interface Report {
  name: string;
  title: string;
  note?: string;
  isPlotted?: boolean;
  conditions: string;
  rows: RowResult[];
  /** The day, such as 2026-01-15. */
  date: string;
  commit: string;
  machine: Machine;
}

export interface Machine {
  cpu: string | undefined;
  cores: number;
  memoryGiB: number;
  /** The version of Node.js. */
  node: string;
}

export interface RowResult {
  name: string;
  unit: string;
  subject?: SideResult;
  floor?: SideResult;
  ratio?: number;
  /** One for each round. */
  ratios?: number[];
  /** The same ratio by processor time, which other programs disturb less. */
  cpuRatio?: number;
  /** The result of a series. */
  series?: Series;
  /** The value of a measure row. */
  value?: number;
  /** The value of a measure row in the other checkout. */
  floorValue?: number;
  aim?: Aim;
  /** Undefined without an aim. */
  reached?: boolean;
  limit?: string;
}

export interface Series {
  axis: string;
  points: { x: number; median: Round }[];
}

export interface BenchOptions {
  rounds: number;
  /** By default the benchmark's own. */
  seconds?: number;
  warmupSeconds?: number;
  connections?: number;
  /** Only rows whose name contains this text. */
  only?: string;
  /** Another checkout, whose subject takes the place of the floor. */
  against?: string;
  keep: boolean;
  strict: boolean;
  profile: boolean;
}

/** Core numbers; undefined when nothing can be pinned. */
export type Cores = { server: number; load: number } | undefined;

export interface RunOptions extends BenchOptions {
  seconds: number;
  warmupSeconds: number;
  cores: Cores;
}

export interface SideSettings {
  /** Requests or calls in flight. */
  connections: number;
  /** Units in one request or call. */
  perRequest: number;
  options: RunOptions;
  profile: boolean;
  label: string;
}
