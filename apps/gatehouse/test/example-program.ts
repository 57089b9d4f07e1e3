/** A program of examples/, run as its reader runs it: in a folder of its own, on the packed client. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually, freePort } from '@gatehouse/testing';
import { workspace } from '#local-stack/layout.mjs';
import { packClient } from '../../../tools/npm-package/pack-client.mjs';

const CLIENT = '@gatehouse/client';

/** The client as a tarball, made once. */
let packed: string | undefined;

export class ExampleProgram {
  private child: ChildProcess | undefined;
  private printed = '';
  url = '';

  private constructor(
    private readonly folder: string,
    packages: readonly string[],
  ) {
    for (const name of [...packages, 'jose']) {
      const target = join(folder, 'node_modules', name);
      mkdirSync(dirname(target), { recursive: true });
      if (name === CLIENT) unpack((packed ??= packClient(emptyFolder())), target);
      else symlinkSync(join(workspace, 'node_modules', name), target);
    }
  }

  /** @param name a folder of examples/ */
  static fromFolder(name: string): ExampleProgram {
    const folder = emptyFolder();
    cpSync(join(workspace, 'examples', name), folder, { recursive: true });
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies: object;
    };
    return new ExampleProgram(folder, Object.keys(dependencies));
  }

  /** @param page a page of docs/ whose first block of JavaScript is the program */
  static fromPage(page: string, packages: readonly string[]): ExampleProgram {
    const folder = emptyFolder();
    const text = readFileSync(join(workspace, 'docs', page), 'utf8');
    const [, program] = /^```js\n([^]*?)^```$/m.exec(text) ?? [];
    assert.ok(program, `${page} has no block of JavaScript`);
    writeFileSync(join(folder, 'server.mjs'), program);
    return new ExampleProgram(folder, [CLIENT, ...packages]);
  }

  /** Starts it, on the same port as before. @throws with its output if it ends before it listens */
  async start(environment: Readonly<Record<string, string>>): Promise<void> {
    const port = this.url === '' ? await freePort() : Number(new URL(this.url).port);
    const child = spawn(process.execPath, ['server.mjs'], {
      cwd: this.folder,
      env: { ...environment, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        this.printed += chunk.toString();
      });
    }
    this.url = await eventually(
      () => {
        assert.equal(child.exitCode, null, printed);
        const [, url] = /listening on (http:\S+)/.exec(printed) ?? [];
        assert.ok(url, 'the example does not listen yet');
        return Promise.resolve(url);
      },
      { progress: () => printed },
    );
  }

  output(): string {
    return this.printed;
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const { child } = this;
    if (child === undefined) return null;
    this.child = undefined;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode;
  }

  async remove(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'gatehouse-example-'));
}

function unpack(tarball: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}
