import { startService } from '@gatehouse/testing';
import { applicationEnvironment, namespaceOf } from '#local-stack/applications.mjs';
import { stackLayout } from '#local-stack/layout.mjs';
import { portPlan } from '#local-stack/ports.mjs';
import { stackSecrets } from '#local-stack/secrets.mjs';
import { readState } from '#local-stack/state.mjs';
import type { Stack } from './story.js';

/** Starts a second key service beside the running one: the same settings, other ports. */
export async function startKeyServiceReplica(stack: Stack) {
  const layout = stackLayout();
  const state = readState(layout);
  if (state?.databases === undefined) {
    throw new Error(`${layout.state} does not describe the stack`);
  }
  const secrets = stackSecrets(layout.secrets);
  const isOwnRedis = new URL(stack.redisUrl).password === secrets.redisPassword;
  const environment = applicationEnvironment('key-service', {
    plan: portPlan(state.portBase),
    secrets,
    databases: state.databases,
    redisUrl: stack.redisUrl,
    redisNamespace: isOwnRedis ? '' : namespaceOf(layout.root),
    hasGateway: stack.services.gateway !== null,
  });
  delete environment['PORT'];
  delete environment['METRICS_PORT'];
  const replica = await startService('key-service', environment);
  const kill = () => replica.process.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    await replica.stop();
  };
  return { url: replica.url, stop };
}
