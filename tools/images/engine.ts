/** The Docker engine of this machine, with the commands of one run. */
import { readFileSync } from 'node:fs';
import { ask, mustRun } from '#local-stack/commands.mjs';
import { StackFault } from '#local-stack/fault.mjs';
import { type Layout, workspace } from '#local-stack/layout.mjs';

export interface RunContext {
  layout: Layout;
  signal: AbortSignal;
}

/** The variables of docker-compose.yml, such as those that name images. */
export type Variables = Record<string, string>;

export class Engine {
  /** @throws StackFault if no engine answers, or Compose is missing */
  constructor(private readonly context: RunContext) {
    if (!ask('docker', ['info']).ok) {
      throw new StackFault('No Docker engine answers', 'Start one, or name it in DOCKER_HOST.');
    }
    if (!ask('docker', ['compose', 'version']).ok) {
      throw new StackFault('`docker compose` is missing', 'Install the plug-in docker-compose.');
    }
  }

  get label(): string {
    return `Docker ${ask('docker', ['version', '--format', '{{.Server.Version}}']).output}`;
  }

  /** Runs `docker` and returns what it printed. */
  docker(step: string, ...args: string[]): Promise<string> {
    return this.run(step, args, {});
  }

  /** Runs `docker compose` with variables of docker-compose.yml. */
  compose(step: string, args: string[], variables: Variables): Promise<string> {
    return this.run(step, ['compose', ...args], variables);
  }

  /** Pulls the images of others that docker-compose.yml names. @returns their names by digest */
  async pullOfficial(): Promise<Variables> {
    const text = readFileSync(`${workspace}/docker-compose.yml`, 'utf8');
    const names: Variables = {};
    for (const [, variable = '', name = ''] of text.matchAll(/\$\{(\w+_IMAGE):-([^}]+)\}/g)) {
      const wanted = process.env[variable] ?? name;
      await this.docker('pull', 'pull', '--quiet', wanted);
      const digest = ['--format', '{{index .RepoDigests 0}}', wanted];
      names[variable] = await this.docker('digest', 'image', 'inspect', ...digest);
    }
    return names;
  }

  private async run(step: string, args: string[], variables: Variables): Promise<string> {
    const env = { ...process.env, ...variables };
    const command = { program: 'docker', args, cwd: workspace, env };
    const { signal } = this.context;
    const { logFile } = await mustRun(this.context.layout, step, command, { signal });
    return readFileSync(logFile, 'utf8').trim();
  }
}
