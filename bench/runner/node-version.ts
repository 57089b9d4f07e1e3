/** Benchmarks run with the Node.js of the image, whichever version started them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { provideNode } from '#local-stack/node-program.mjs';

/** @param major such as 24 */
export function isNode(major: string): boolean {
  return process.versions.node.startsWith(`${major}.`);
}

/** Runs the benchmarks again in a process of another version, and returns its exit code. */
export async function runWithNode(
  major: string,
  args: readonly string[],
  context: Parameters<typeof provideNode>[1],
): Promise<number> {
  const { program } = await provideNode(major, context);
  const child = spawn(program, [join(workspace, 'tools', 'run.mjs'), 'bench/runner', ...args], {
    stdio: 'inherit',
  });
  // An interruption reaches the child as well, which cleans up; this process waits for it.
  context.signal.addEventListener('abort', () => child.kill('SIGINT'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
