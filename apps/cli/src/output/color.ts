import { environment } from '../environment.js';

export type Tone = 'good' | 'warn' | 'bad' | 'dim';
export type Paint = (tone: Tone | undefined, text: string) => string;

const CODES: Readonly<Record<Tone, number>> = { good: 32, warn: 33, bad: 31, dim: 2 };

/** Colors in a terminal, unless NO_COLOR is set (https://no-color.org). */
export function paintFor(stream: { isTTY?: boolean }): Paint {
  const isPlain = !stream.isTTY || environment('NO_COLOR') !== undefined;
  return (tone, text) =>
    tone === undefined || isPlain ? text : `\x1b[${CODES[tone]}m${text}\x1b[0m`;
}
