import { duration } from '../parts/time.js';
import { type ConsoleFrame } from '../site/console-frame.js';

const SECONDS = {
  '1h': 3_600,
  '24h': 86_400,
  '7d': 604_800,
  '14d': 1_209_600,
  '30d': 2_592_000,
} as const;

/** Lengths of time as choices, in the notation of the services. */
export function lengths(
  frame: ConsoleFrame,
  ...names: readonly (keyof typeof SECONDS)[]
): (readonly [value: string, text: string])[] {
  return names.map((name) => [name, duration(frame, SECONDS[name])]);
}
