import { startHttpSide } from './http-side.js';
import { startProcessSide } from './process-side.js';
import {
  type BenchContext,
  type HttpSide,
  type ProcessSide,
  type RunningSide,
  type SideSettings,
  type SystemSide,
} from './types.js';

/** Starts a server, a child process that makes the calls itself, or a whole system. */
export function startSide(
  side: HttpSide | ProcessSide | SystemSide,
  context: BenchContext,
  settings: SideSettings,
): Promise<RunningSide> {
  if ('start' in side) return side.start(context, settings);
  return 'ready' in side
    ? startHttpSide(side, context, settings)
    : startProcessSide(side, context, settings);
}
