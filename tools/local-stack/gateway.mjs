// @ts-check
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from './commands.mjs';
import { workspace } from './layout.mjs';
import { LOOPBACK } from './ports.mjs';
import { launch } from './processes.mjs';
import { findProgram, unpackProgram } from './programs.mjs';

/** An address at which no one listens. */
const NOWHERE = '127.0.0.1:1';
const script = join(workspace, 'deploy', 'gateway', 'start.sh');

/** Every client of a local stack is this machine. */
export const NO_LIMITS = {
  REQUESTS_PER_SECOND: '0',
  ANONYMOUS_REQUESTS_PER_SECOND: '0',
  CONNECTIONS_PER_CLIENT: '0',
};

/** @type {import('./programs.mjs').ProgramSource} */
const NGINX_SOURCE = { names: ['nginx'], debian: 'nginx' };

/**
 * @param {import('./programs.mjs').ProvisionContext} context
 * @returns {Promise<{ path: string, label: string } | { missing: string }>} `missing` says why
 *   there is no gateway and what to type; the services then serve on their own ports
 */
export async function provideNginx(context) {
  const onPath = findProgram(NGINX_SOURCE.names);
  if (onPath !== undefined) return { path: onPath, label: nginxLabel(onPath) };
  const unpacked = await unpackProgram(NGINX_SOURCE, context);
  if ('missing' in unpacked) return unpacked;
  return { ...unpacked, label: `${nginxLabel(unpacked.path)}, of Debian` };
}

/**
 * @param {import('./layout.mjs').Layout} layout
 * @param {string} program
 * @param {import('./ports.mjs').PortPlan} plan
 * @param {import('./ports.mjs').Replica[]} replicas
 * @returns {import('./processes.mjs').RunningProcess}
 */
export function startGateway(layout, program, plan, replicas) {
  mkdirSync(layout.gateway, { recursive: true });
  const at = (/** @type {number} */ port) => `${LOOPBACK}:${port}`;
  const hostsOf = (/** @type {import('./ports.mjs').AppName} */ app) =>
    replicas.filter((each) => each.app === app).map(({ port }) => at(port));
  const { args, env } = gatewayCommand(program, layout.gateway, {
    ...NO_LIMITS,
    ...process.env,
    PUBLIC_LISTEN: at(plan.gateway),
    ADMIN_LISTEN: at(plan.gatewayAdmin),
    METRICS_LISTEN: at(plan.gatewayMetrics),
    KEY_SERVICE: hostsOf('key-service'),
    DSYNC_API: hostsOf('dsync-api'),
    IDENTITY_FORMS: hostsOf('identity-forms'),
    CONSOLE: hostsOf('console'),
  });
  return launch(layout, {
    name: 'gateway',
    role: 'application',
    program: 'sh',
    args,
    // In the command line of the script, and in that of nginx, which it becomes.
    mark: 'gateway',
    cwd: layout.gateway,
    env,
    stopSignal: 'SIGQUIT',
  });
}

/**
 * The arguments of `sh` and the variables that start the gateway.
 * @param {string} program nginx
 * @param {string} folder for the files of nginx
 * @param {Record<string, string | string[] | undefined>} settings of `deploy/gateway/start.sh`, and
 *   the rest of the environment; a service without replicas has none
 */
export function gatewayCommand(program, folder, settings) {
  // Older versions lack the option and print a harmless warning about the default log.
  const errorLog = isAtLeast(nginxVersion(program), [1, 19, 5]) ? ['-e', 'stderr'] : [];
  // Started by root, workers would run as `www-data` or `nobody`, who cannot write to this folder.
  const user = process.getuid?.() === 0 ? ['-g', 'user root;'] : [];
  const values = Object.entries({ ...settings, RUN_DIR: folder, NGINX_PATH: program });
  const env = Object.fromEntries(
    values.map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(' ') || NOWHERE : value,
    ]),
  );
  return { args: [script, ...errorLog, ...user], env };
}

/** @param {string} program */
function nginxLabel(program) {
  return `nginx ${nginxVersion(program).join('.')}`;
}

/**
 * @param {string} program
 * @returns {number[]}
 */
function nginxVersion(program) {
  // nginx prints its version to stderr.
  const { output } = ask('sh', ['-c', '"$1" -v 2>&1', 'sh', program]);
  return (/nginx\/([\d.]+)/.exec(output)?.[1] ?? '0').split('.').map(Number);
}

/**
 * @param {number[]} version
 * @param {number[]} wanted
 */
export function isAtLeast(version, wanted) {
  for (const [index, part] of wanted.entries()) {
    const ours = version[index] ?? 0;
    if (ours !== part) return ours > part;
  }
  return true;
}
