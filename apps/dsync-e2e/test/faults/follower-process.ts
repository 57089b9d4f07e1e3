/** A process of the application in follower-program.mjs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('follower-program.mjs', import.meta.url));

export class FollowerProcess {
  private child: ChildProcess;
  private printed = '';
  kills = 0;

  constructor(private readonly environment: Readonly<Record<string, string>>) {
    this.child = this.start();
  }

  private start(): ChildProcess {
    const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];
    const child = spawn(process.execPath, [PROGRAM], { env: this.environment, stdio });
    child.stderr.on('data', (chunk: Buffer) => (this.printed += chunk.toString()));
    return child;
  }

  /** Kills it and starts it anew. @throws if it has ended by itself */
  async crash(): Promise<void> {
    await this.end('SIGKILL');
    this.kills += 1;
    this.child = this.start();
  }

  /** @returns its exit code @throws if it has ended by itself */
  async stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  /** Ends it, whether it runs or not. */
  remove(): void {
    this.child.kill('SIGKILL');
  }

  private async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const { child } = this;
    if (child.exitCode !== null) throw new Error(`the follower has ended:\n${this.printed}`);
    child.kill(signal);
    await once(child, 'exit');
    return child.exitCode;
  }
}
