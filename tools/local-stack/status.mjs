// @ts-check
import { lockHolder } from './lock.mjs';
import { isAlive, readRecords } from './processes.mjs';
import { probeHttp } from './readiness.mjs';
import { reasonOf } from './fault.mjs';
import { readStackRecord, readState } from './state.mjs';
import { healthUrl, table } from './summary.mjs';

/**
 * @param {import('./layout.mjs').Layout} layout
 * @returns {Promise<{ lines: string[], exitCode: 0 | 1 | 3 }>}
 */
export async function stackStatus(layout) {
  const records = readRecords(layout);
  const record = readStackRecord(layout);
  const holder = lockHolder(layout.lock);
  if (record === undefined) {
    if (holder !== undefined) {
      return {
        lines: [`A stack is being started or stopped (process ${holder.pid}).`],
        exitCode: 1,
      };
    }
    const alive = records.filter(isAlive).map(({ name }) => name);
    if (alive.length === 0) {
      return { lines: ['No stack runs here. Start one: npm start'], exitCode: 3 };
    }
    const lines = [`A stack that was not started to its end: ${alive.join(', ')}.`, 'npm run stop'];
    return { lines, exitCode: 1 };
  }
  const services = await Promise.all(
    Object.entries(record.services).map(async ([name, service]) => {
      if (service === null) return { row: [name, '-', '-', 'not there (no nginx)'], ok: true };
      const process = records.find((each) => each.name === name);
      const health = await healthOf(healthUrl(name, service));
      const pid = process !== undefined && isAlive(process) ? String(process.pid) : 'dead';
      return { row: [name, service.url, pid, health], ok: health === 'ready' };
    }),
  );
  const stores = records
    .filter(({ role }) => role === 'store')
    .map((store) => {
      const ok = isAlive(store);
      const address = new URL(store.name === 'redis' ? record.redisUrl : record.databaseUrl);
      return {
        row: [store.name, address.host, ok ? String(store.pid) : 'dead', ok ? 'runs' : '-'],
        ok,
      };
    });
  const all = [...services, ...stores];
  const state = readState(layout);
  const how = state?.detached ? 'in the background' : `in the foreground (process ${holder?.pid})`;
  const lines = [
    `Started ${state?.startedAt ?? ''}, ${how}.`,
    '',
    table([['Name', 'Address', 'Process', 'State'], ...all.map(({ row }) => row)]),
  ];
  return { lines, exitCode: all.every(({ ok }) => ok) ? 0 : 1 };
}

/** @param {string} url */
async function healthOf(url) {
  try {
    await probeHttp(url);
    return 'ready';
  } catch (error) {
    return `not ready: ${reasonOf(error).slice(0, 100)}`;
  }
}
