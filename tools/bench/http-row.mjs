// @ts-check
import { checkAnswers, runLoad } from './load.mjs';
import { startServer } from './servers.mjs';
import { compare, summarise } from './statistics.mjs';

/**
 * Starts both sides, checks their answers, loads them in turn (floor, subject, floor, …) and
 * checks their answers again, so that nothing is measured that answers wrongly.
 *
 * @param {import('./types.mjs').HttpRow} row
 * @param {import('./types.mjs').BenchContext} context
 * @param {import('./types.mjs').BenchOptions & { cores: import('./cores.mjs').Cores, generator: 'wrk' | 'autocannon' }} options
 * @returns {Promise<import('./types.mjs').RowResult>}
 */
export async function runHttpRow(row, context, options) {
  /** @type {{ side: import('./types.mjs').HttpSide, server: import('./types.mjs').RunningServer, load: import('./types.mjs').Load, rounds: import('./types.mjs').Round[] }[]} */
  const running = [];
  context.sample = undefined;
  try {
    // The subject first: the floor answers what the subject answered.
    for (const side of [row.subject, row.floor]) {
      if (side === undefined) continue;
      const server = await startServer(side, context, {
        core: options.cores?.server,
        label: `${row.name} ${side === row.subject ? 'subject' : 'floor'}`,
        profile: options.profile && side === row.subject,
      });
      const load = await side.prepare(server, context);
      const answer = await checkAnswers(server.url, load, side.name);
      context.sample ??= answer;
      running.unshift({ side, server, load, rounds: [] });
    }

    const settings = {
      generator: options.generator,
      connections: options.connections ?? row.connections ?? 32,
      core: options.cores?.load,
      perRequest: row.perRequest ?? 1,
      root: context.root,
    };
    for (const { server, load } of running) {
      if (options.warmupSeconds > 0)
        await runLoad(server.url, load, {
          ...settings,
          pid: server.pid,
          seconds: options.warmupSeconds,
        });
    }
    for (let round = 0; round < options.rounds; round += 1) {
      for (const { side, server, load, rounds } of running) {
        try {
          const round = { ...settings, pid: server.pid, seconds: options.seconds };
          rounds.push(await runLoad(server.url, load, round));
        } catch (error) {
          throw new Error(`${row.name}, ${side.name}, round ${round + 1}`, { cause: error });
        }
      }
    }
    for (const { side, server, load } of running) await checkAnswers(server.url, load, side.name);

    const [subject, floor] = [...running].reverse();
    if (subject === undefined) throw new Error('a row needs a subject');
    return compare(
      row,
      summarise(subject.side.name, subject.rounds),
      floor && summarise(floor.side.name, floor.rounds),
    );
  } finally {
    await Promise.all(running.map(({ server }) => server.stop()));
  }
}
