/** The gateway of tests: nginx with the template, in front of several replicas of each service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, freePort } from '@gatehouse/testing';
import { gatewayConfiguration } from './gateway.mjs';

export interface TestGateway {
  url: string;
  close(): Promise<void>;
}

type Upstream = 'KEY_SERVICE' | 'DSYNC_API' | 'IDENTITY_FORMS';

/**
 * @param folder for the configuration and the files of nginx
 * @param hosts the addresses of the replicas of each service
 */
export async function startTestGateway(
  folder: string,
  hosts: Partial<Record<Upstream, string[]>>,
): Promise<TestGateway> {
  const port = await freePort();
  const configuration = gatewayConfiguration({
    GATEWAY_PORT: `127.0.0.1:${port}`,
    RUN_DIR: '.',
    ...{ KEY_SERVICE: [], DSYNC_API: [], IDENTITY_FORMS: [], ...hosts },
  });
  writeFileSync(join(folder, 'nginx.conf'), configuration);
  const asRoot = process.getuid?.() === 0 ? ['-g', 'user root;'] : [];
  const args = ['-p', `${folder}/`, '-e', 'stderr', '-c', 'nginx.conf', ...asRoot];
  const nginx = spawn(process.env['NGINX_PATH'] ?? 'nginx', args, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => expect((await fetch(`${url}/health`)).status).toBe(200));
  return {
    url,
    close: async () => {
      const stopped = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await stopped;
    },
  };
}
