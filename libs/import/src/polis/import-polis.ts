/** `npm run import -- polis`: directories of Ory Polis, with their ids and secrets. */
import { databaseDefinition } from '@gatehouse/directory-sync';
import {
  createDirectoryImports,
  type DirectoryReport,
  type Imports,
  type SourceDirectory,
} from '@gatehouse/directory-sync/imports';
import { setCell } from '@gatehouse/kit/ids';
import { createDataSource } from '@gatehouse/nest-kit/database';
import { Interrupted, reasonOf, StackFault } from '#local-stack/fault.mjs';
import { type Progress } from '#local-stack/progress.mjs';
import { table } from '#local-stack/summary.mjs';
import { EXIT, reportDirectories } from '../report.js';
import {
  type DirectoryTargetConfig,
  directoryTarget,
  PolisConfig,
  readSettings,
} from '../settings.js';
import { openPolisApi } from './api-source.js';
import { openPolisDatabase } from './database-source.js';
import { type PolisSource } from './polis-records.js';

export interface PolisOptions {
  task: 'import' | 'activate' | 'discard';
  /** Show what would be written. Does not apply to `activate`. */
  isDryRun: boolean;
  isDelta: boolean;
  products: readonly string[];
  tenants: readonly string[];
  directories: readonly string[];
  reportFile: string | undefined;
}

const CALL = { caller: 'import', ip: '', requestId: '' };
const PROGRESS_MS = 2_000;

/** @returns the exit code */
export async function importPolis(
  options: PolisOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const target = directoryTarget();
  setCell(target.database.cell);
  const { imports, close } = await openTarget(target);
  try {
    if (options.task === 'activate') return await activate(imports, options, progress);
    if (options.task === 'discard') return await discard(imports, options, progress, signal);
    const source = await openSource(options, signal);
    try {
      const reports = await importAll(imports, source, options, progress, signal);
      const { isDryRun, reportFile: file } = options;
      const exitCode = reportDirectories(progress, reports, { isDryRun, file });
      if (signal.aborted) throw new Interrupted();
      progress.say(closingLine(options, exitCode));
      return exitCode;
    } finally {
      await source.close();
    }
  } finally {
    await close();
  }
}

async function importAll(
  imports: Imports,
  source: PolisSource,
  options: PolisOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<DirectoryReport[]> {
  const reports: DirectoryReport[] = [];
  for await (const directory of source.directories()) {
    if (signal.aborted) return reports;
    if (!isWanted(directory, options)) continue;
    reports.push(await importOne(imports, source, directory, options, progress, signal));
  }
  return reports;
}

async function importOne(
  imports: Imports,
  source: PolisSource,
  directory: SourceDirectory,
  { isDryRun, isDelta }: PolisOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<DirectoryReport> {
  const { id, tenant, product } = directory;
  let read = 0;
  const timer = setInterval(
    () => progress.say(`  … ${tenant} / ${product}: ${read} read`),
    PROGRESS_MS,
  );
  try {
    return await imports.importDirectory(
      directory,
      source.contentOf(directory),
      {
        isDryRun,
        isDelta,
        signal,
        onProgress: (count) => (read += count),
      },
      CALL,
    );
  } catch (error) {
    const reason = signal.aborted ? 'interrupted; nothing of it was written' : reasonOf(error);
    const none = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
    return {
      id,
      tenant,
      product,
      outcome: 'failed',
      error: reason,
      conflicts: [],
      conflictCount: 0,
      users: none,
      groups: none,
      members: none,
    };
  } finally {
    clearInterval(timer);
  }
}

async function activate(
  imports: Imports,
  options: PolisOptions,
  progress: Progress,
): Promise<number> {
  const activated = await imports.activate(idsOf(options), CALL);
  for (const id of activated) progress.say(`  ✓ ${id} sends its events`);
  progress.say(`\n${countOf(activated)} activated.`);
  return sayLeftOut(options, activated, progress);
}

async function discard(
  imports: Imports,
  options: PolisOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const { isDryRun } = options;
  const discarded = await imports.discard(idsOf(options), { isDryRun, signal }, CALL);
  const rows = discarded.map(({ id, tenant, product, events }) => [
    id,
    `${tenant} / ${product}`,
    String(events),
  ]);
  progress.say(`\n${table([['Directory', 'Tenant / product', 'Events since'], ...rows])}`);
  progress.say(
    isDryRun
      ? `\nNothing was deleted; ${countOf(discarded)} found. Add --apply to delete.`
      : `\n${countOf(discarded)} deleted. Another import is possible after ten minutes.`,
  );
  return sayLeftOut(
    options,
    discarded.map(({ id }) => id),
    progress,
  );
}

function countOf(directories: readonly unknown[]): string {
  return directories.length === 1 ? '1 directory was' : `${directories.length} directories were`;
}

/** Names the directories that were asked for and are no import, or a completed one. */
function sayLeftOut(
  { directories }: PolisOptions,
  done: readonly string[],
  progress: Progress,
): number {
  const leftOut = directories.filter((id) => !done.includes(id.toLowerCase()));
  for (const id of leftOut) progress.say(`  ✗ ${id} has no import that waits to be activated`);
  return leftOut.length > 0 ? EXIT.conflicts : EXIT.done;
}

/** The directories of the import that are named; undefined for all. */
function idsOf({ task, directories, products, tenants }: PolisOptions) {
  if (products.length > 0 || tenants.length > 0) {
    throw new StackFault(`--${task} takes --directory only`, undefined, EXIT.usage);
  }
  return directories.length > 0 ? directories : undefined;
}

function isWanted(
  { id, tenant, product }: SourceDirectory,
  { directories, products, tenants }: PolisOptions,
): boolean {
  const allows = (wanted: readonly string[], value: string) =>
    wanted.length === 0 || wanted.includes(value);
  return allows(directories, id) && allows(products, product) && allows(tenants, tenant);
}

async function openSource({ products }: PolisOptions, signal: AbortSignal): Promise<PolisSource> {
  const config = readSettings(PolisConfig);
  if ((config.url === '') === (config.databaseUrl === '')) {
    throw new StackFault(
      'Set either POLIS_URL, with POLIS_API_KEY, or POLIS_DATABASE_URL',
      'docs/moving-from-polis.md explains both',
      78,
    );
  }
  return config.databaseUrl === ''
    ? openPolisApi(config.url, config.apiKey, products, signal)
    : openPolisDatabase(config.databaseUrl, config.databaseEncryptionKey);
}

async function openTarget(config: DirectoryTargetConfig) {
  const url = config.database.sessionUrl;
  const dataSource = createDataSource({ ...databaseDefinition, databaseUrl: url, poolMax: 4 });
  await dataSource.initialize();
  const imports = createDirectoryImports({
    dataSource,
    encryptionKeys: config.encryptionKeys,
    outbound: config.webhooks,
  });
  return { imports, close: () => dataSource.destroy() };
}

function closingLine({ isDryRun }: PolisOptions, exitCode: number): string {
  if (exitCode === EXIT.failed) return '\nSome directories failed. Run it again to continue.';
  if (isDryRun) return '\nNothing was written. Add --apply to import.';
  return '\nDone. Events wait until --activate.';
}
