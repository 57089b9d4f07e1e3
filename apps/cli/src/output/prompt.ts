/** Questions at the terminal. They are asked on stderr, so that stdout has results alone. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { EXIT, Failure } from '../failure.js';
import { printableLine } from './text.js';

const INPUT_BYTES_MAX = 64 * 1024;

export async function ask(question: string): Promise<string> {
  return answer(question, process.stderr);
}

/** Reads an answer that the terminal does not show. */
export async function askSecretly(question: string): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    // Without the raw mode of readline, the terminal echoes what is typed.
    return await answer('', silence, () => process.stderr.write(question));
  } finally {
    process.stderr.write('\n');
  }
}

/**
 * @param isConfirmed by `--yes`
 * @throws Failure unless the answer is yes, or where there is no terminal to ask at
 */
export async function confirm(question: string, isConfirmed = false): Promise<void> {
  if (isConfirmed) return;
  if (!process.stdin.isTTY) {
    throw new Failure(`${question} There is no terminal to ask at: pass --yes.`, EXIT.USAGE);
  }
  const reply = await ask(`${printableLine(question)} [y/N] `);
  if (!/^y(es)?$/i.test(reply.trim())) throw new Failure('Nothing was changed.');
}

/** @throws Failure if there is more than 64 KiB */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > INPUT_BYTES_MAX) throw new Failure('The input is too long.', EXIT.USAGE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function answer(
  question: string,
  output: NodeJS.WritableStream,
  onReady: () => unknown = () => undefined,
): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  onReady();
  const interrupted = new AbortController();
  terminal.once('SIGINT', () => interrupted.abort());
  terminal.once('close', () => interrupted.abort());
  try {
    return await terminal.question(question, { signal: interrupted.signal });
  } catch (error) {
    throw new Failure('Interrupted.', EXIT.REFUSED, { cause: error });
  } finally {
    terminal.close();
  }
}
