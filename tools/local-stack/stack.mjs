// @ts-check
import { busyAdvice, portAdvice } from './advice.mjs';
import { namespaceOf, startApplication, untilServing } from './applications.mjs';
import { buildProjects } from './build.mjs';
import { checkSettings } from './check-settings.mjs';
import { Interrupted, StackFault, printFault } from './fault.mjs';
import { provideNginx, startGateway } from './gateway.mjs';
import { installPackages } from './install.mjs';
import { listenForInterruption, untilAborted } from './interruption.mjs';
import { makeFolders, workspace } from './layout.mjs';
import { takeLock } from './lock.mjs';
import { databaseUrlOf, migrateApp, MIGRATING_APPS } from './migrations.mjs';
import { LOOPBACK, portPlan, portsOf, replicasOf, requireFreePorts } from './ports.mjs';
import { Progress } from './progress.mjs';
import { deathOf, probeHttp, waitUntilReady } from './readiness.mjs';
import { noteOutsideData, stackSecrets } from './secrets.mjs';
import {
  forgetStack,
  readStackRecord,
  runsDetached,
  writeStackRecord,
  writeState,
} from './state.mjs';
import { stopRecorded } from './stopping.mjs';
import {
  outsideStores,
  provideDatabase,
  provideRedisServer,
  requireOutsideStores,
} from './stores.mjs';
import { stackRecordOf, summaryOf } from './summary.mjs';
import { together } from './together.mjs';
import { startWatchdog } from './watching.mjs';

/** @typedef {import('./processes.mjs').RunningProcess} RunningProcess */
/** @typedef {import('./layout.mjs').Layout} Layout */

/**
 * @typedef {object} StartOptions
 * @property {number} portBase
 * @property {number} replicas processes of each service
 * @property {boolean} detach leave the stack running and return
 */

/**
 * `npm start`: everything up, or everything down again.
 * @param {Layout} layout
 * @param {StartOptions} options
 * @returns {Promise<number>} exit code
 */
export async function startStack(layout, options) {
  makeFolders(layout);
  const lock = takeLock(layout.lock);
  if ('holder' in lock) throw runsAlready(layout, `process ${lock.holder.pid}`);
  try {
    if (runsDetached(layout)) throw runsAlready(layout, 'in the background');
    return await runStack(layout, options);
  } finally {
    lock.release();
  }
}

/**
 * @param {Layout} layout
 * @param {StartOptions} options
 */
async function runStack(layout, options) {
  const progress = new Progress();
  const interruption = listenForInterruption();
  const watchdog = startWatchdog(layout);
  try {
    const leftovers = await stopRecorded(layout);
    if (leftovers.length > 0) {
      progress.say(`Ended what a run before had left: ${leftovers.join(', ')}`);
    }
    forgetStack(layout);
    const running = await bringUp(layout, options, progress, interruption.signal);
    if (options.detach) {
      for (const { child } of running) child.unref();
      return 0;
    }
    progress.say('\nCtrl-C stops it.');
    const death = await untilTheEnd(running, interruption.signal);
    if (death !== undefined) printFault(death);
    await bringDown(layout, progress, interruption.hurry);
    return death === undefined ? 0 : 1;
  } catch (error) {
    // The reason first; how the rest went down is the lesser news.
    printFault(error);
    await bringDown(layout, progress, interruption.hurry);
    if (error instanceof Interrupted) return 130;
    return error instanceof StackFault ? error.exitCode : 1;
  } finally {
    await watchdog.release();
    interruption.dispose();
  }
}

/**
 * @param {Layout} layout
 * @param {StartOptions} options
 * @param {Progress} progress
 * @param {AbortSignal} signal
 * @returns {Promise<RunningProcess[]>}
 */
async function bringUp(layout, { portBase, replicas: count, detach }, progress, signal) {
  const outside = outsideStores();
  await requireOutsideStores(outside);
  const plan = portPlan(portBase);
  const replicas = replicasOf(plan, count);
  for (const advice of [busyAdvice(), portAdvice(portsOf(plan, count))]) {
    if (advice !== undefined) progress.say(`${advice}\n`);
  }
  await requireFreePorts(
    portsOf(plan, count).filter(
      ({ name }) =>
        !(name === 'PostgreSQL' && outside.databaseUrl) && !(name === 'Redis' && outside.redisUrl),
    ),
  );
  const state = { detached: detach, portBase, startedAt: new Date().toISOString() };
  writeState(layout, state);
  const secrets = stackSecrets(layout.secrets);
  if (outside.databaseUrl !== undefined) noteOutsideData(layout.secrets);
  progress.say(`Gatehouse, in ${workspace}\n`);
  await progress.step('packages', (note) => installPackages(layout, { note, signal }));

  const [, database, redis, nginx] = await together(signal, (both) => [
    progress.step('build', async (note) => {
      await buildProjects(layout, { note, signal: both });
      await checkSettings({ plan, secrets });
    }),
    progress.step('PostgreSQL', (note) =>
      provideDatabase(outside.databaseUrl, { layout, plan, secrets, signal: both, note }),
    ),
    progress.step('Redis', (note) =>
      provideRedisServer(outside.redisUrl, { layout, plan, secrets, signal: both, note }),
    ),
    progress.step('nginx', async (note) => {
      const found = await provideNginx({ layout, signal: both });
      if (count > 1 && 'missing' in found) {
        throw new StackFault('--replicas needs nginx', found.missing);
      }
      note('path' in found ? found.label : 'none: the services serve on their own ports');
      return found;
    }),
  ]);
  writeState(layout, { ...state, databases: database.services });
  await progress.step('migrations', async (note) => {
    const { services } = database;
    await Promise.all(
      MIGRATING_APPS.map((app) => migrateApp(app, databaseUrlOf(app, services), 'up', { signal })),
    );
    note('all schemas are current');
  });

  const hasGateway = 'path' in nginx;
  const settings = {
    plan,
    secrets,
    databases: database.services,
    redisUrl: redis.url,
    redisNamespace: outside.redisUrl === undefined ? '' : namespaceOf(layout.root),
    hasGateway,
  };
  const applications = replicas.map((replica) => startApplication(layout, settings, replica));
  await together(signal, (both) =>
    replicas.map(({ name, port }, index) =>
      progress.step(name, async (note) => {
        const application = /** @type {RunningProcess} */ (applications[index]);
        await untilServing(application, port, both);
        note(`ready on port ${port}`);
      }),
    ),
  );
  const gateway = hasGateway ? startGateway(layout, nginx.path, plan, replicas) : undefined;
  if (gateway !== undefined) {
    await progress.step('gateway', async (note) => {
      const probe = () => probeHttp(`http://${LOOPBACK}:${plan.gateway}/health`);
      await waitUntilReady(gateway, probe, { signal });
      note(`ready on port ${plan.gateway}, for administrators on ${plan.gatewayAdmin}`);
    });
  }

  const record = stackRecordOf(plan, replicas, {
    hasGateway,
    secrets,
    databaseUrl: database.url,
    redisUrl: redis.url,
  });
  writeStackRecord(layout, record);
  progress.say(`\nReady after ${progress.elapsed()}.\n\n${summaryOf(record)}`);
  progress.say(`\nLogs: ${layout.logs}. Stop: npm run stop. Begin anew: npm run reset.`);
  if ('missing' in nginx) progress.say(`\n${nginx.missing}`);
  const stores = [...database.running, ...redis.running];
  return [...stores, ...applications, ...(gateway === undefined ? [] : [gateway])];
}

/**
 * @param {RunningProcess[]} running
 * @param {AbortSignal} signal
 * @returns {Promise<StackFault | undefined>} the fault if a process ended unexpectedly
 */
async function untilTheEnd(running, signal) {
  return Promise.race([
    untilAborted(signal).then(() => undefined),
    ...running.map(async (each) => {
      const { code, signal: endedBy } = await each.ended;
      return deathOf(each, `${each.record.name} ended by itself (${code ?? endedBy})`);
    }),
  ]);
}

/**
 * @param {Layout} layout
 * @param {Progress} progress
 * @param {AbortSignal} hurry
 */
async function bringDown(layout, progress, hurry) {
  const startedAt = performance.now();
  const stopped = await stopRecorded(layout, { hurry });
  forgetStack(layout);
  if (stopped.length === 0) return;
  const took = ((performance.now() - startedAt) / 1000).toFixed(1);
  progress.say(`\nStopped ${stopped.join(', ')} in ${took} s.`);
}

/**
 * @param {Layout} layout
 * @param {string} where
 */
function runsAlready(layout, where) {
  const url = readStackRecord(layout)?.services.gateway?.url;
  return new StackFault(
    `A stack of this clone runs already (${where}${url === undefined ? '' : `, ${url}`})`,
    'See it: npm run status. Stop it: npm run stop. For a second one, make a second clone.',
  );
}
