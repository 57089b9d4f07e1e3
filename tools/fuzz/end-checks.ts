/** What has to hold after the last request. */
import { type SecretRecorder } from '@gatehouse/testing';
import { type Series } from '../live-stack/samples.js';
import { lowestOf, trendOf } from '../live-stack/trend.js';
import { type RunningApp, type WholeStack } from '../live-stack/whole-stack.js';

const MIB = 2 ** 20;
/** Compiled code and caches grow in the first minutes too; a leak of every request is larger. */
const GROWTH_MAX_MIB: Readonly<Record<string, number>> = { heap: 32, rss: 96 };
/** The part of a run in which caches are filled. */
const WARM_UP_SHARE = 0.3;
const FLOORS = 12;

/** Every process lives, is ready, and has logged no secret. */
export async function processFaults(stack: WholeStack, secrets: SecretRecorder): Promise<string[]> {
  const faults: string[] = [];
  for (const app of Object.keys(stack.services) as RunningApp[]) {
    const service = stack.services[app];
    const { url, process: child } = service;
    if (child.exitCode !== null || child.signalCode !== null) {
      faults.push(`${app} has ended with ${child.exitCode ?? child.signalCode}`);
      continue;
    }
    const { status } = await fetch(`${url}/health/ready`);
    if (status !== 200) faults.push(`${app} is not ready: ${status}`);
    const printed = service.logs();
    const found = [...secrets.findIn(printed), ...stack.secrets.findIn(printed)];
    if (found.length > 0) faults.push(`the log of ${app} contains ${found.length} secrets`);
    const errors = printed.split('\n').filter((line) => line.includes('"level":"error"'));
    if (errors.length > 0) {
      faults.push(`${app} logged ${errors.length} errors, such as ${errors[0]?.slice(0, 400)}`);
    }
  }
  return faults;
}

/** Memory after the warm-up, which must not grow by more than noise. */
export function memoryRows(series: Series): { rows: string[][]; faults: string[] } {
  const faults: string[] = [];
  const rows: string[][] = [];
  for (const [name, all] of series) {
    const kind = name.split(' ').at(-1) ?? '';
    const limit = GROWTH_MAX_MIB[kind];
    if (limit === undefined) continue;
    const warm = all.slice(Math.floor(all.length * WARM_UP_SHARE));
    const floor = lowestOf(warm, FLOORS);
    const [first, last] = [floor[0], floor.at(-1)];
    if (!first || !last || floor.length < FLOORS / 2) continue;
    const { level, lowPerHour, perHour } = trendOf(floor);
    const growth = ((last.at - first.at) / 3_600) * (perHour / MIB);
    rows.push([name, mebibytes(level), mebibytes(growth * MIB)]);
    if (lowPerHour > 0 && growth > limit) {
      faults.push(`${name} grew by ${growth.toFixed(0)} MiB after the warm-up`);
    }
  }
  return { rows, faults };
}

function mebibytes(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
