// @ts-check
import { applicationEnvironment, namespaceOf } from './applications.mjs';
import { portPlan } from './ports.mjs';
import { stackSecrets } from './secrets.mjs';
import { readStackRecord, readState } from './state.mjs';

/**
 * @param {import('./layout.mjs').Layout} layout
 * @returns {import('./applications.mjs').StackSettings | undefined} undefined when no stack runs
 */
export function runningStack(layout) {
  const state = readState(layout);
  const record = readStackRecord(layout);
  if (state?.databases === undefined || record === undefined) return undefined;
  const secrets = stackSecrets(layout.secrets);
  const isOwnRedis = new URL(record.redisUrl).password === secrets.redisPassword;
  return {
    plan: portPlan(state.portBase),
    secrets,
    databases: state.databases,
    redisUrl: record.redisUrl,
    redisNamespace: isOwnRedis ? '' : namespaceOf(layout.root),
    hasGateway: record.services.gateway !== null,
  };
}

/**
 * The settings of an application of the running stack.
 * @param {import('./layout.mjs').Layout} layout
 * @param {import('./ports.mjs').AppName} app
 * @returns {Record<string, string> | undefined} undefined when no stack runs
 */
export function runningSettings(layout, app) {
  const stack = runningStack(layout);
  return stack && applicationEnvironment(app, stack);
}
