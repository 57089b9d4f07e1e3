/**
 * The Docker engine that builds and runs the images: the one of this machine, or, where none answers
 * and this is root on Debian, one of our own that ends with the run.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, mustRun } from '#local-stack/commands.mjs';
import { StackFault } from '#local-stack/fault.mjs';
import { type Layout, toolsFolder, workspace } from '#local-stack/layout.mjs';
import { launch } from '#local-stack/processes.mjs';
import { installProgram, findProgram, type ProgramSource } from '#local-stack/programs.mjs';
import { waitUntilReady } from '#local-stack/readiness.mjs';

export interface RunContext {
  layout: Layout;
  signal: AbortSignal;
}

/** What our own engine keeps between runs: images, and packages that were downloaded. */
export const engineFolder = join(workspace, '.local', 'engine');
const composeFolder = join(toolsFolder, 'docker-compose');
const OWN_COMPOSE = join(composeFolder, 'usr/libexec/docker/cli-plugins/docker-compose');

/** Debian packages of the engine, in versions that come with one command line client or without. */
const PROGRAMS: ProgramSource[] = ['dockerd docker.io', 'docker docker-cli'].map((each) => {
  const [name = '', debian = ''] = each.split(' ');
  return { names: [name], debian, fedora: '', brew: [] };
});

export class Engine {
  private compose: string[];

  constructor(
    private readonly context: RunContext,
    readonly label: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly ownFolder?: string,
  ) {
    this.compose = this.hasCompose() ? ['docker', 'compose'] : [OWN_COMPOSE];
  }

  /** Runs `docker` and returns what it printed. */
  docker(step: string, ...args: string[]): Promise<string> {
    return this.run(step, ['docker', ...args], {});
  }

  /** Runs `docker compose` in a folder, with the variables of the file. */
  async runCompose(
    step: string,
    args: string[],
    { folder = workspace, variables = {} }: { folder?: string; variables?: NodeJS.ProcessEnv } = {},
  ): Promise<string> {
    return this.run(step, [...this.compose, ...args], variables, folder);
  }

  hasImage(name: string): boolean {
    return ask('docker', ['image', 'inspect', name], { env: this.environment }).ok;
  }

  /** A file of Debian, in a container, because this machine may have an older version. */
  async provideCompose(debianImage: string): Promise<void> {
    if (this.compose[0] === 'docker' || existsSync(OWN_COMPOSE)) return;
    mkdirSync(composeFolder, { recursive: true });
    const script =
      'cd /tmp && apt-get update && apt-get download docker-compose && dpkg-deb -x docker-compose_*.deb /out';
    const mount = `${composeFolder}:/out`;
    await this.docker('compose', 'run', '--rm', '-v', mount, debianImage, 'sh', '-ec', script);
  }

  close(): void {
    if (this.ownFolder) rmSync(this.ownFolder, { recursive: true, force: true });
  }

  private hasCompose(): boolean {
    return ask('docker', ['compose', 'version'], { env: this.environment }).ok;
  }

  private async run(
    step: string,
    [program = '', ...args]: string[],
    variables: NodeJS.ProcessEnv,
    cwd = workspace,
  ): Promise<string> {
    const { layout, signal } = this.context;
    const command = { program, args, cwd, env: { ...this.environment, ...variables } };
    const { logFile } = await mustRun(layout, step, command, { signal });
    return readFileSync(logFile, 'utf8').trim();
  }
}

export async function provideEngine(context: RunContext): Promise<Engine> {
  if (answers(process.env)) return new Engine(context, label(process.env), process.env);
  if (process.getuid?.() !== 0 || findProgram(['apt-get']) === undefined) {
    throw new StackFault(
      'No Docker engine answers',
      'Start one, or name it in DOCKER_HOST. As root on Debian, this command starts one itself.',
    );
  }
  for (const source of PROGRAMS) {
    if (findProgram(source.names) !== undefined) continue;
    const installed = await installProgram(source, context);
    if ('failures' in installed) throw new StackFault(installed.failures.join('\n'));
  }
  // Installing the package starts the engine on most machines.
  if (answers(process.env)) return new Engine(context, label(process.env), process.env);
  return startOwnEngine(context);
}

async function startOwnEngine(context: RunContext): Promise<Engine> {
  // The path of a socket is limited to 108 characters, and that of a clone is not.
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-engine-'));
  const host = `unix://${folder}/docker.sock`;
  const environment = { ...process.env, DOCKER_HOST: host, DOCKER_CONTEXT: undefined };
  const running = launch(context.layout, {
    name: 'dockerd',
    role: 'store',
    // It mounts its data folder and leaves that behind; a namespace of its own ends with it.
    program: 'unshare',
    mark: 'dockerd',
    args: [
      '--mount',
      findProgram(['dockerd']) ?? 'dockerd',
      '--host',
      host,
      '--pidfile',
      join(folder, 'pid'),
      '--exec-root',
      join(folder, 'run'),
      '--data-root',
      join(engineFolder, 'data'),
    ],
    env: environment,
  });
  const probe = async () => {
    if (!answers(environment)) throw new Error('it does not answer');
    return Promise.resolve();
  };
  await waitUntilReady(running, probe, { signal: context.signal });
  return new Engine(context, `${label(environment)}, of this run`, environment, folder);
}

function answers(env: NodeJS.ProcessEnv): boolean {
  return ask('docker', ['info'], { env }).ok;
}

function label(env: NodeJS.ProcessEnv): string {
  const { output } = ask('docker', ['version', '--format', '{{.Server.Version}}'], { env });
  return `Docker ${output}`;
}
