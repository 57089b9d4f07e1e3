import { startHttpSide } from './http-side.js';
import { startProcessSide } from './process-side.js';
import { type SideSettings } from './side-settings.js';
import { type BenchContext, type HttpSide, type ProcessSide, type RunningSide } from './types.js';

/** Starts a server, or a child process that makes the calls itself. */
export function startSide(
  side: HttpSide | ProcessSide,
  context: BenchContext,
  settings: SideSettings,
): Promise<RunningSide> {
  return 'ready' in side
    ? startHttpSide(side, context, settings)
    : startProcessSide(side, context, settings);
}
