// @ts-check
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from './commands.mjs';
import { workspace } from './layout.mjs';
import { APP_NAMES, LOOPBACK } from './ports.mjs';
import { launch } from './processes.mjs';
import { findProgram, installHint, installProgram } from './programs.mjs';

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
 * @returns {import('./processes.mjs').RunningProcess}
 */
export function startGateway(layout, program, plan) {
  mkdirSync(layout.gateway, { recursive: true });
  const at = (/** @type {number} */ port) => `${LOOPBACK}:${port}`;
  const configuration = fillTemplate(readFileSync(template, 'utf8'), {
    GATEWAY_PORT: at(plan.gateway),
    ...Object.fromEntries(
      APP_NAMES.map((name) => [name.toUpperCase().replaceAll('-', '_'), at(plan.apps[name])]),
    ),
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
 * @param {string} text
 * @param {Record<string, string>} values
 * @returns {string} with every `${NAME}` that has a value replaced; nginx's own `$name` stays
 */
export function fillTemplate(text, values) {
  return text.replaceAll(/\$\{([A-Z_]+)\}/g, (placeholder, name) => values[name] ?? placeholder);
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
