import { startService } from '@gatehouse/testing';
import { stackLayout } from '#local-stack/layout.mjs';
import { runningSettings } from '#local-stack/running-settings.mjs';

/** Starts a second key service beside the running one: the same settings, other ports. */
export async function startKeyServiceReplica() {
  const environment = runningSettings(stackLayout(), 'key-service');
  if (environment === undefined) throw new Error('no stack runs');
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
