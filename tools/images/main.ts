/**
 * `npm run images`: builds the image, looks into it, and runs docker-compose.yml with it: the demo through
 * the gateway, a container that is replaced, TLS, metrics, and a second start; then compose.small.yml. It
 * needs Docker with Compose, and a registry in reach. With `--digest`, it builds the image twice with Buildah instead,
 * and compares the digests; with `--own-bases` also where no registry of images is in reach.
 */
import assert from 'node:assert/strict';
import { request } from 'node:https';
import { createRequire } from 'node:module';
import { eventually } from '@gatehouse/testing';
import { ask } from '#local-stack/commands.mjs';
import { workspace } from '#local-stack/layout.mjs';
import { readOptions } from '#local-stack/options.mjs';
import { inOwnFolder } from '#local-stack/own-folder.mjs';
import { APP_NAMES } from '#local-stack/ports.mjs';
import { Progress } from '#local-stack/progress.mjs';
import { registryCertificate } from '#release/image.mjs';
import {
  type ComposedStack,
  composedStack,
  type SmallStack,
  smallStack,
} from './composed-stack.js';
import { checkImage, mebibytes } from './contents.js';
import { compareBuilds } from './digest.js';
import { Engine, type RunContext, type Variables } from './engine.js';

const USAGE = 'npm run images -- [--digest [--own-bases]]';
const manifest = createRequire(import.meta.url)(`${workspace}/package.json`) as { version: string };
const JWKS_PATH = '/v2alpha1/derivedKeys/jwks.json';

export async function main(args: string[]): Promise<void> {
  const options = { digest: { type: 'boolean' }, 'own-bases': { type: 'boolean' } } as const;
  const { values } = readOptions(args, options, { usage: USAGE });
  const progress = new Progress();
  progress.say(`Gatehouse images, in ${workspace}\n`);
  if (values.digest) {
    compareBuilds(progress, { version: manifest.version, ownBases: values['own-bases'] ?? false });
  } else {
    await inOwnFolder((context) => buildAndRun(context, progress));
  }
  progress.say(`\nAll took ${progress.elapsed()}.`);
}

async function buildAndRun(context: RunContext, progress: Progress): Promise<void> {
  const engine = new Engine(context);
  progress.say(`  ${engine.label}`);
  const images = await progress.step<Variables>('base images', () => engine.pullOfficial());
  const labels = { version: manifest.version, revision: revisionOfSources() };
  await progress.step('build', async (note) => {
    await buildImage(engine, images, labels);
    note(`revision ${labels.revision}`);
  });
  const image = `localhost/gatehouse:${labels.version}`;
  await progress.step('contents', async (note) => {
    const base = images['DEBIAN_IMAGE'] ?? '';
    const { total, overBase } = await checkImage(engine, image, { base, ...labels });
    note(`${mebibytes(total)}, of which ${mebibytes(overBase)} above Debian; user 1000, read-only`);
  });
  const stack = await composedStack(engine, context, images);
  try {
    await useStack(stack, image, labels, progress);
  } finally {
    await progress.step('down', () => stack.remove());
  }
  const small = await smallStack(engine, context, images);
  try {
    await progress.step('small', (note) => useSmallStack(small, note));
  } finally {
    await small.remove();
  }
}

/** Starts twice on the same data: the keys that sign tokens are the same. */
async function useSmallStack(stack: SmallStack, note: (text: string) => void): Promise<void> {
  const signingKeys = () =>
    eventually(
      async () => {
        const answer = await fetch(`http://127.0.0.1:${stack.port}${JWKS_PATH}`);
        const { keys } = (await answer.json()) as { keys: unknown[] };
        assert.ok(keys.length > 0);
        return keys;
      },
      { timeoutMs: 20_000 },
    );
  await stack.up();
  const before = await signingKeys();
  await stack.compose('stop', 'stop');
  await stack.up();
  assert.deepEqual(await signingKeys(), before);
  note('one process on PostgreSQL alone, twice on the same data');
}

async function useStack(
  stack: ComposedStack,
  image: string,
  { revision }: { revision: string },
  progress: Progress,
): Promise<void> {
  const { ports } = stack;
  const gateway = `http://127.0.0.1:${ports.gateway}`;
  await progress.step('compose up', async (note) => {
    await stack.up();
    note('migrated, and every container is healthy');
  });
  await progress.step('demo', async (note) => {
    note((await stack.demo(image)).split('\n').at(-1) ?? '');
  });
  await progress.step('replacement', async (note) => {
    await stack.compose(
      'recreate',
      'up',
      '--no-build',
      '--no-deps',
      '--force-recreate',
      '--wait',
      'dsync-api',
    );
    const answer = await fetch(`http://127.0.0.1:${ports.admin}/dsync-api/health/ready`);
    assert.equal(answer.status, 200);
    note('the gateway finds a new container without a restart');
  });
  await progress.step('metrics', async (note) => {
    await eventually(
      async () =>
        assert.deepEqual(
          await runningRevisions(ports.prometheus),
          APP_NAMES.map((app) => `${app} ${revision}`).sort(),
        ),
      { timeoutMs: 40_000 },
    );
    note('Prometheus scrapes every service');
  });
  await progress.step('TLS', async (note) => {
    await eventually(
      async () => {
        const answer = await overTls(ports.https, JWKS_PATH);
        assert.ok((JSON.parse(answer) as { keys: unknown[] }).keys.length > 0);
        const log = await stack.compose('gateway-log', 'logs', '--no-log-prefix', 'gateway');
        const line = log.split('\n').findLast((each) => each.includes(JWKS_PATH)) ?? '';
        assert.match(line, /"client":"[\d.]+\.1"/);
      },
      { timeoutMs: 20_000 },
    );
    note('Caddy serves the gateway, which knows the client');
  });
  await progress.step('second up', async (note) => {
    await stack.compose('stop', 'stop');
    await stack.up();
    assert.equal((await fetch(`${gateway}/health`)).status, 200);
    note('provisions and migrates again, and keeps the data');
  });
}

async function buildImage(
  engine: Engine,
  images: Variables,
  { version, revision }: { version: string; revision: string },
): Promise<void> {
  const certificate = registryCertificate();
  const variables = {
    ...images,
    GATEHOUSE_TAG: version,
    GATEHOUSE_REVISION: revision,
    GATEHOUSE_SOURCE: ask('git', ['config', '--get', 'remote.origin.url'], {
      cwd: workspace,
    }).output.replace(/\/\/[^/]*@/, '//'),
    ...(certificate !== '' ? { NPM_CA_FILE: certificate } : {}),
  };
  await engine.compose('image', ['build'], variables);
}

function revisionOfSources(): string {
  const commit = ask('git', ['rev-parse', 'HEAD'], { cwd: workspace });
  if (!commit.ok) return 'unknown';
  const isChanged = ask('git', ['status', '--porcelain'], { cwd: workspace }).output !== '';
  return isChanged ? `${commit.output}-changed` : commit.output;
}

/** @returns `service revision` of each `gatehouse_build_info` */
async function runningRevisions(port: number): Promise<string[]> {
  const url = `http://127.0.0.1:${port}/api/v1/query?query=gatehouse_build_info`;
  const { data } = (await (await fetch(url)).json()) as {
    data: { result: { metric: { service: string; revision: string } }[] };
  };
  return data.result.map(({ metric }) => `${metric.service} ${metric.revision}`).sort();
}

/** Caddy signs certificates of localhost itself. */
function overTls(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: 'localhost', port, path, rejectUnauthorized: false };
    const sent = request(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.once('end', () => resolve(text));
    });
    sent.once('error', reject);
    sent.end();
  });
}
