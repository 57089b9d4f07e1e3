/** The gateway of tests: `deploy/gateway` as it is, in front of several replicas of each service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually, freePort } from '@gatehouse/testing';
import { gatewayCommand, NO_LIMITS } from '#local-stack/gateway.mjs';

/** On a busy machine, the script that writes the configuration takes many seconds. */
const START = { timeoutMs: 60_000 };

export interface TestGateway {
  /** The public surface. */
  url: string;
  /** The admin surface. */
  adminUrl: string;
  metricsUrl: string;
  pid: number;
  /** Its stderr output so far. */
  log(): string;
  close(): Promise<void>;
}

/** The addresses of the replicas of each service, and other settings of `start.sh`. */
export type TestGatewaySettings = Record<string, string | string[]>;

/** @param folder for the configuration and the files of nginx */
export async function startTestGateway(
  folder: string,
  settings: TestGatewaySettings,
): Promise<TestGateway> {
  const [publicAt, adminAt, metricsAt] = await Promise.all(
    Array.from({ length: 3 }, async () => `127.0.0.1:${await freePort()}`),
  );
  const nginxPath = settings['NGINX_PATH'] ?? process.env['NGINX_PATH'] ?? 'nginx';
  const { args, env } = gatewayCommand(String(nginxPath), folder, {
    ...process.env,
    PUBLIC_LISTEN: publicAt,
    ADMIN_LISTEN: adminAt,
    METRICS_LISTEN: metricsAt,
    KEY_SERVICE: [],
    DSYNC_API: [],
    IDENTITY_FORMS: [],
    CONSOLE: [],
    ...NO_LIMITS,
    ...settings,
  });
  const nginx = spawn('sh', args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let log = '';
  nginx.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const url = `http://${publicAt}`;
  await eventually(async () => {
    if (nginx.exitCode !== null) throw new Error(`the gateway ended (${nginx.exitCode})\n${log}`);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  }, START);
  return {
    url,
    adminUrl: `http://${adminAt}`,
    metricsUrl: `http://${metricsAt}`,
    pid: nginx.pid ?? 0,
    log: () => log,
    close: async () => {
      const stopped = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await stopped;
    },
  };
}
