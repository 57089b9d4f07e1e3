/** Runs the bundled command line as a process, with a configuration of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const BUNDLE = join('dist', 'bundles', 'cli', 'gatehouse.cjs');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A command that runs. */
export interface Running {
  child: ChildProcess;
  /** What it has printed so far. */
  printed: { stdout: string; stderr: string };
  ended: Promise<Ended>;
}

export class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'));
  private readonly running = new Set<ChildProcess>();

  constructor(private readonly environment: Record<string, string> = {}) {}

  /** @param environment in addition to that of all commands */
  with(environment: Record<string, string>): CommandLine {
    return new CommandLine({ ...this.environment, XDG_CONFIG_HOME: this.folder, ...environment });
  }

  run(...args: string[]): Promise<Ended> {
    return this.start(args).ended;
  }

  start(args: string[], input = ''): Running {
    const running = this.spawn(process.execPath, [BUNDLE, ...args]);
    running.child.stdin?.end(input);
    return running;
  }

  /** At a terminal of 60 columns, whose whole output is on stdout. */
  startAtTerminal(...args: string[]): Running {
    const command = ['stty cols 60; exec', process.execPath, BUNDLE, ...args].join(' ');
    return this.spawn('script', ['-qec', command, '/dev/null']);
  }

  private spawn(program: string, args: string[]): Running {
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, XDG_CONFIG_HOME: this.folder, ...this.environment },
    });
    this.running.add(child);
    const printed = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code) => {
        this.running.delete(child);
        resolve({ code, ...printed });
      });
    });
    return { child, printed, ended };
  }

  close(): void {
    for (const child of this.running) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The rows of a list. */
export function rowsOf({ stdout }: Ended): Record<string, never>[] {
  return stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, never>);
}
