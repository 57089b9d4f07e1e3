/**
 * docker-compose.yml and compose.small.yml as they stand, under names, networks, secrets and ports of this
 * run.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@gatehouse/testing';
import { mustRun } from '#local-stack/commands.mjs';
import { layoutAt, makeFolders, workspace } from '#local-stack/layout.mjs';
import { writeStackRecord, writeState } from '#local-stack/state.mjs';
import { type Engine, type RunContext, type Variables } from './engine.js';

/**
 * The demo's receivers are beside the worker, and its page is that of the example. It leaves workspaces
 * out where another OAuth client is set, because containers cannot reach its provider on loopback.
 */
const DEMO_SETTINGS = [
  'WEBHOOK_ALLOW_PRIVATE=true',
  'EXAMPLE_SCHEMA=true',
  'WORKSPACE_CLIENT_ID=none',
  'WORKSPACE_CLIENT_SECRET=none',
  '',
].join('\n');
const GATEWAY = 'http://gateway:8080';
const GATEWAY_ADMIN = 'http://gateway:8089';
const PROFILES = ['--profile', 'tls', '--profile', 'monitoring'];

interface Project {
  /** Runs `docker compose` on it. */
  compose(step: string, ...args: string[]): Promise<string>;
  /** Starts everything and waits until it is healthy. */
  up(): Promise<void>;
  remove(): Promise<void>;
}

export interface ComposedStack extends Project {
  ports: { gateway: number; admin: number; https: number; prometheus: number };
  /** Runs `npm run demo` beside the worker, on the Node.js of the image. */
  demo(image: string): Promise<string>;
}

export interface SmallStack extends Project {
  port: number;
}

export async function smallStack(
  engine: Engine,
  context: RunContext,
  images: Variables,
): Promise<SmallStack> {
  const secrets = join(context.layout.root, 'small-secrets');
  await makeSecrets(context, secrets, 'small');
  const port = await freePort();
  const variables = {
    ...images,
    GATEHOUSE_SECRETS: secrets,
    GATEHOUSE_SETTINGS: '/dev/null',
    GATEWAY_PORT: String(port),
    GATEWAY_ADMIN_PORT: String(await freePort()),
  };
  const options = [
    '--project-name',
    `gatehouse-small-${process.pid}`,
    '--file',
    'compose.small.yml',
  ];
  return { port, ...projectOf(engine, options, variables) };
}

export async function composedStack(
  engine: Engine,
  context: RunContext,
  images: Variables,
): Promise<ComposedStack> {
  const folder = join(context.layout.root, 'compose');
  const secrets = join(folder, 'secrets');
  mkdirSync(folder);
  const settings = join(folder, 'settings.env');
  writeFileSync(settings, DEMO_SETTINGS);
  const ports = {
    gateway: await freePort(),
    admin: await freePort(),
    https: await freePort(),
    prometheus: await freePort(),
  };
  const variables = {
    ...images,
    GATEHOUSE_SECRETS: secrets,
    GATEHOUSE_SETTINGS: settings,
    GATEWAY_URL: GATEWAY,
    GATEWAY_PORT: String(ports.gateway),
    GATEWAY_ADMIN_PORT: String(ports.admin),
    FRONT_NETWORK: `172.30.${randomInt(100, 250)}`,
    HTTPS_BIND: '127.0.0.1',
    HTTP_PORT: String(await freePort()),
    HTTPS_PORT: String(ports.https),
    PROMETHEUS_PORT: String(ports.prometheus),
  };
  await makeSecrets(context, secrets);
  const options = ['--project-name', `gatehouse-images-${process.pid}`, ...PROFILES];
  const project = projectOf(engine, options, variables);
  const demo = async (image: string) => {
    writeDemoFolder(join(folder, 'demo'), secrets);
    const worker = await project.compose('worker', 'ps', '--quiet', 'dsync-worker');
    const program = `import { main } from '${workspace}/dist/tools/demo/main.js'; await main([]);`;
    const node = ['--input-type=module', '--eval', program];
    const where = ['--network', `container:${worker}`, '--volume', `${workspace}:${workspace}`];
    const local = `GATEHOUSE_LOCAL_FOLDER=${join(folder, 'demo')}`;
    const how = ['--rm', '--user', '0', '--entrypoint', 'node', '--env', 'NODE_OPTIONS='];
    return engine.docker('demo', 'run', ...how, '--env', local, ...where, image, ...node);
  };
  return { ports, demo, ...project };
}

function projectOf(engine: Engine, options: string[], variables: Variables): Project {
  const compose = (step: string, ...args: string[]) =>
    engine.compose(step, [...options, ...args], variables);
  const up = async () => {
    try {
      await compose('up', 'up', '--no-build', '--wait', '--wait-timeout', '240');
    } catch (error) {
      process.stderr.write(`${await compose('logs', 'logs', '--no-color', '--tail', '40')}\n`);
      throw error;
    }
  };
  const remove = async () => {
    await compose('down', 'down', '--volumes', '--remove-orphans');
  };
  return { compose, up, remove };
}

async function makeSecrets(context: RunContext, folder: string, ...args: string[]): Promise<void> {
  const script = ['deploy/docker/make-secrets.sh', ...args];
  const env = { ...process.env, GATEHOUSE_SECRETS: folder };
  await mustRun(
    context.layout,
    'make-secrets',
    { program: 'sh', args: script, cwd: workspace, env },
    context,
  );
}

/** Writes the stack file and the secrets that the demo reads. */
function writeDemoFolder(folder: string, secretsFolder: string): void {
  const secret = (name: string) => readFileSync(join(secretsFolder, name), 'utf8');
  const layout = layoutAt(folder);
  makeFolders(layout);
  const credentials = {
    adminApiKey: '',
    keysAdminApiKey: secret('keys-admin-api-keys'),
    formsAdminApiKey: secret('forms-admin-api-keys'),
    dsyncApiKey: secret('dsync-api-keys'),
    workerAdminApiKey: '',
  };
  const secrets = {
    ...credentials,
    redisPassword: secret('key-service-redis-password'),
    keyServiceEncryptionKey: secret('key-service-encryption-keys'),
    keyServiceHmacSecret: secret('key-service-hmac-secrets'),
    messageKey: secret('message-keys'),
    verdictSigningKey: secret('verdict-signing-key'),
  };
  writeFileSync(layout.secrets, JSON.stringify(secrets));
  const databases = {
    'key-service': secret('key-service-database-url'),
    dsync: secret('dsync-database-url'),
    'identity-forms': secret('identity-forms-database-url'),
    'delivery-worker': secret('delivery-worker-database-url'),
    console: secret('console-database-url'),
  };
  writeState(layout, { detached: true, portBase: 8080, startedAt: '', databases });
  writeStackRecord(layout, {
    services: {
      gateway: { url: GATEWAY, admin: GATEWAY_ADMIN },
      'key-service': { url: 'http://key-service:8081' },
      'dsync-api': { url: 'http://dsync-api:8082' },
      'identity-forms': { url: 'http://identity-forms:8083' },
      'dsync-worker': { url: 'http://127.0.0.1:8084' },
      console: { url: 'http://127.0.0.1:8085' },
    },
    credentials,
    databaseUrl: databases['key-service'],
    redisUrl: secret('key-service-redis-url'),
  });
}
