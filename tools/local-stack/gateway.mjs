// @ts-check
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from './commands.mjs';
import { workspace } from './layout.mjs';
import { LOOPBACK } from './ports.mjs';
import { launch } from './processes.mjs';
import { findProgram, installHint, installProgram } from './programs.mjs';

/** An address at which no one listens. */
const NOWHERE = '127.0.0.1:1';
const template = join(workspace, 'deploy', 'gateway', 'nginx.conf.template');

/** @type {import('./programs.mjs').ProgramSource} */
const NGINX_SOURCE = {
  names: ['nginx'],
  debian: 'nginx',
  unpacks: true,
  fedora: 'nginx',
  brew: ['nginx'],
};

/**
 * @param {import('./programs.mjs').ProvisionContext} context
 * @returns {Promise<{ path: string, label: string } | { missing: string }>} `missing` says why
 *   there is no gateway and what to type; the services then serve on their own ports
 */
export async function provideNginx(context) {
  const onPath = findProgram(NGINX_SOURCE.names);
  if (onPath !== undefined) return { path: onPath, label: nginxLabel(onPath) };
  const installed = await installProgram(NGINX_SOURCE, context);
  if ('path' in installed) {
    return { path: installed.path, label: `${nginxLabel(installed.path)}, ${installed.how}` };
  }
  const why = installed.failures.map((failure) => `${failure}\n`).join('');
  return { missing: `${why}For the gateway, install nginx:\n${installHint(NGINX_SOURCE)}` };
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
  const configuration = gatewayConfiguration({
    GATEWAY_PORT: at(plan.gateway),
    KEY_SERVICE: hostsOf('key-service'),
    DSYNC_API: hostsOf('dsync-api'),
    IDENTITY_FORMS: hostsOf('identity-forms'),
    // Relative to the prefix below: a path of the clone may hold blanks.
    RUN_DIR: '.',
  });
  writeFileSync(join(layout.gateway, 'nginx.conf'), configuration);
  // Older versions lack the option and print a harmless warning about the default log.
  const errorLog = isAtLeast(nginxVersion(program), [1, 19, 5]) ? ['-e', 'stderr'] : [];
  // Started by root, workers would run as `www-data` or `nobody`, who cannot write to this folder.
  const user = process.getuid?.() === 0 ? ['-g', 'user root;'] : [];
  return launch(layout, {
    name: 'gateway',
    role: 'application',
    program,
    args: ['-p', `${layout.gateway}/`, '-c', 'nginx.conf', ...errorLog, ...user],
    mark: 'nginx',
    cwd: layout.gateway,
    env: process.env,
    stopSignal: 'SIGQUIT',
  });
}

/**
 * @param {Record<'GATEWAY_PORT' | 'RUN_DIR', string> &
 *   Record<'KEY_SERVICE' | 'DSYNC_API' | 'IDENTITY_FORMS', string[]>} values the addresses of the
 *   replicas of each service; none for one that does not run
 * @returns {string} the configuration of nginx
 */
export function gatewayConfiguration(values) {
  return readFileSync(template, 'utf8').replaceAll(/\$\{([A-Z_]+)\}/g, (placeholder, name) => {
    const value = values[/** @type {keyof typeof values} */ (name)] ?? placeholder;
    if (!Array.isArray(value)) return value;
    // Stands in a `server` directive of its upstream, before its parameters.
    return value.length > 0 ? value.join(' fail_timeout=1s; server ') : NOWHERE;
  });
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
