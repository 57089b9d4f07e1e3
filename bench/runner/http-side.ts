import { checkResponses, runLoad } from './load.js';
import { startServer } from './servers.js';
import { type BenchContext, type HttpSide, type RunningSide, type SideSettings } from './types.js';

/** Starts a service or a floor and checks its responses, so that no wrong answer is measured. */
export async function startHttpSide(
  side: HttpSide,
  context: BenchContext,
  { options, profile, label, connections, perRequest }: SideSettings,
): Promise<RunningSide> {
  const server = await startServer(side, context, { core: options.cores?.server, label, profile });
  const load = await side.prepare(server, context);
  const response = await checkResponses(server.url, load, side.name);
  context.sample ??= response;
  return {
    run: (seconds) =>
      runLoad(server.url, load, {
        seconds,
        connections,
        core: options.cores?.load,
        perRequest,
        pid: server.pid,
        root: context.root,
      }),
    check: () => checkResponses(server.url, load, side.name),
    stop: server.stop,
  };
}
