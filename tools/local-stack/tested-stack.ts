// For specs: a stack of the test, in a separate folder and on separate ports.
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePortBase } from './ports.mjs';
import { commandLineOf } from './process-table.mjs';

const run = promisify(execFile);

export interface TestedStack {
  folder: string;
  /** The first of its ports. */
  base: number;
  environment: NodeJS.ProcessEnv;
  /** Runs one of the commands to its end. */
  tool(name: string, ...args: string[]): Promise<{ code: number; output: string }>;
  /** All processes of the stack, found by their command lines. */
  processes(): string[];
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

export async function testedStack(): Promise<TestedStack> {
  const folder = mkdtempSync(join(process.env.TEST_STACKS_FOLDER ?? tmpdir(), 'gatehouse-'));
  // A temporary folder is closed to others; the user that root lends to PostgreSQL must enter.
  chmodSync(folder, 0o755);
  const base = await freePortBase();
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    GATEHOUSE_LOCAL_FOLDER: folder,
    NODE_OPTIONS: '',
  };

  const tool: TestedStack['tool'] = async (name, ...args) => {
    const command = [join('tools', `${name}.mjs`), ...args];
    try {
      const { stdout, stderr } = await run(process.execPath, command, { env: environment });
      return { code: 0, output: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: stdout + stderr };
    }
  };

  const processes = () => {
    if (process.platform !== 'linux') return [];
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => commandLineOf(Number(name)))
      .filter((line) => line.includes(folder) || line.includes(`:${base + 11}`));
  };

  const remove = async () => {
    await tool('stop');
    rmSync(folder, { recursive: true, force: true });
  };

  return { folder, base, environment, tool, processes, remove };
}
