// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { applicationEnvironment, namespaceOf } from '../local-stack/applications.mjs';
import { stackLayout, workspace } from '../local-stack/layout.mjs';
import { freePort, loopback, portPlan } from '../local-stack/ports.mjs';
import { stackSecrets } from '../local-stack/secrets.mjs';
import { readState } from '../local-stack/state.mjs';
import { send, until } from './http.mjs';

/**
 * Starts a second key service beside the running one: same settings, other ports.
 *
 * @param {import('../local-stack/state.mjs').StackRecord} stack
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startKeyServiceReplica(stack) {
  const layout = stackLayout();
  const state = readState(layout);
  if (state?.databases === undefined)
    throw new Error(`${layout.state} does not describe the stack`);
  const secrets = stackSecrets(layout.secrets);
  const isOwnRedis = new URL(stack.redisUrl).password === secrets.redisPassword;
  const port = await freePort();
  const child = spawn(process.execPath, [join('dist', 'apps', 'key-service', 'src', 'main.js')], {
    cwd: workspace,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      ...applicationEnvironment('key-service', {
        plan: portPlan(state.portBase),
        secrets,
        databases: state.databases,
        redisUrl: stack.redisUrl,
        redisNamespace: isOwnRedis ? '' : namespaceOf(layout.root),
        hasGateway: stack.services.gateway !== null,
      }),
      PORT: String(port),
      METRICS_PORT: String(await freePort()),
    },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (printed = `${printed}${String(chunk)}`.slice(-2_000)));
  }
  const exited = once(child, 'exit');
  const stop = async () => {
    process.off('exit', kill);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
  };
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);

  const url = `http://${loopback}:${port}`;
  try {
    await until(
      async () => {
        if (child.exitCode !== null) throw new Error(`the replica ended at once:\n${printed}`);
        const ready = await send('GET', `${url}/health/ready`).catch(() => undefined);
        return ready && true;
      },
      { what: 'the start of the replica', timeoutMs: 30_000 },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}
