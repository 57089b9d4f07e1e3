// @ts-check
import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { StackFault } from './fault.mjs';

const DEFAULT_PORT_BASE = 8080;
export const LOOPBACK = '127.0.0.1';
const METRICS_OFFSET = 1000;

/** The services, in the order of their ports. Everything else derives from this list. */
export const APP_NAMES = /** @type {const} */ ([
  'key-service',
  'dsync-api',
  'identity-forms',
  'dsync-worker',
  'console',
]);

/** @typedef {typeof APP_NAMES[number]} AppName */

/**
 * Every port of a stack follows from its base.
 * @param {number} base
 */
export function portPlan(base) {
  const from = (/** @type {number} */ first) =>
    /** @type {Record<AppName, number>} */ (
      Object.fromEntries(APP_NAMES.map((name, index) => [name, first + index]))
    );
  return {
    base,
    gateway: base,
    gatewayAdmin: base + 9,
    gatewayMetrics: base + METRICS_OFFSET,
    apps: from(base + 1),
    metrics: from(base + 1 + METRICS_OFFSET),
    postgres: base + 10,
    redis: base + 11,
    demoProvider: base + 12,
  };
}

/** @typedef {ReturnType<typeof portPlan>} PortPlan */

/** Between the ports of the replicas of a service. */
const REPLICA_OFFSET = 20;
const REPLICAS_MAX = 5;

/**
 * A process of a service: the first has the name of the service.
 * @typedef {{ app: AppName, name: string, port: number, metricsPort: number }} Replica
 */

/**
 * @param {PortPlan} plan
 * @param {number} replicas of each service
 * @returns {Replica[]} in the order of `APP_NAMES`
 */
export function replicasOf(plan, replicas) {
  const numbers = Array.from({ length: replicas }, (_, index) => index);
  return APP_NAMES.flatMap((app) =>
    numbers.map((number) => ({
      app,
      name: number === 0 ? app : `${app}-${number + 1}`,
      port: plan.apps[app] + number * REPLICA_OFFSET,
      metricsPort: plan.metrics[app] + number * REPLICA_OFFSET,
    })),
  );
}

/**
 * @param {PortPlan} plan
 * @param {number} [replicas] of each service
 * @returns {{ name: string, port: number }[]} all ports that a stack takes
 */
export function portsOf(plan, replicas = 1) {
  return [
    { name: 'gateway', port: plan.gateway },
    { name: 'admin surface of the gateway', port: plan.gatewayAdmin },
    { name: 'metrics of the gateway', port: plan.gatewayMetrics },
    ...replicasOf(plan, replicas).flatMap(({ name, port, metricsPort }) => [
      { name, port },
      { name: `metrics of ${name}`, port: metricsPort },
    ]),
    { name: 'PostgreSQL', port: plan.postgres },
    { name: 'Redis', port: plan.redis },
  ];
}

/** @param {string | undefined} text the value of --port-base */
export const parsePortBase = (text) =>
  numberFrom('--port-base', text, { least: 1024, most: 64_000, usual: DEFAULT_PORT_BASE });

/** @param {string | undefined} text the value of --replicas */
export const parseReplicas = (text) =>
  numberFrom('--replicas', text, { least: 1, most: REPLICAS_MAX, usual: 1 });

/**
 * @param {string} flag
 * @param {string | undefined} text
 * @param {{ least: number, most: number, usual: number }} range
 */
function numberFrom(flag, text, { least, most, usual }) {
  if (text === undefined) return usual;
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value >= least && value <= most) return value;
  const wanted = `it must be a number from ${least} to ${most}`;
  throw new StackFault(`${flag} is "${text}"; ${wanted}`, `Such as: npm start -- ${flag} ${most}`);
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
export async function isPortFree(port) {
  // Some systems let two processes listen when one took all addresses, so both ways are asked.
  return (await canListen(port)) && !(await answers(port));
}

/**
 * Refuses with the number and the use of every port that is taken.
 * @param {{ name: string, port: number }[]} wanted
 */
export async function requireFreePorts(wanted) {
  const free = await Promise.all(wanted.map(({ port }) => isPortFree(port)));
  const taken = wanted.filter((_, index) => !free[index]);
  if (taken.length === 0) return;
  const lines = taken.map(({ name, port }) => `Port ${port} (${name}) is taken`);
  throw new StackFault(
    lines.join('\n  '),
    'End the process that listens there, or move all ports of this stack: npm start -- --port-base 18080',
  );
}

/**
 * Below the range from which systems take the ports of outgoing connections (Linux from 32768,
 * macOS from 49152): such a connection could take the port before a server has bound it.
 *
 * Tests and benchmarks use `freePort` of `libs/testing`. This file cannot: it also runs before the
 * packages are installed and the libraries are compiled.
 *
 * @returns {Promise<number>} a loopback port that is free now, for PostgreSQL or Redis
 */
export async function freeStorePort() {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isPortFree(port)) return port;
  }
}

/**
 * @returns {Promise<number>} the base of a stack whose ports, below that range too, are all free
 *   at this moment
 */
export async function freePortBase() {
  for (;;) {
    const base = randomInt(20_000, 30_000);
    const free = await Promise.all(portsOf(portPlan(base)).map(({ port }) => isPortFree(port)));
    if (free.every(Boolean)) return base;
  }
}

/** @param {number} port */
function canListen(port) {
  return /** @type {Promise<boolean>} */ (
    new Promise((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
    })
  );
}

/** @param {number} port */
async function answers(port) {
  return canConnect(LOOPBACK, port, 500).then(
    () => true,
    () => false,
  );
}

/**
 * @param {string} host
 * @param {number} port
 * @param {number} [timeoutMs]
 * @returns {Promise<void>} rejects if the connection is refused
 */
export function canConnect(host, port, timeoutMs = 5_000) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (/** @type {() => void} */ settle) => {
      socket.destroy();
      settle();
    };
    socket.once('connect', () => end(resolve));
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('timeout', () => end(() => reject(new Error('no answer'))));
  });
}
