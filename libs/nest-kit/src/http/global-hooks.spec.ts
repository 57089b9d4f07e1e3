import { Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';
import { loadConfig } from '@gatehouse/kit/settings';
import { ServiceConfig } from '../config/service.config.js';
import { createLogger } from '../logging/logger.js';
import { startService } from './start-service.js';

@Module({})
class EmptyModule {}

/** The global hooks, and why direct routes do not need them. */
const HOOKS = [
  ['onRoute', 'the table of routes, which sees no requests'],
  ['onRequest', 'the request steps, which direct routes run too'],
  ['onResponse', 'the request steps, which direct routes run too'],
  ['onRequest', 'what HTTP requires; direct routes leave such requests to Fastify'],
  ['onRequest', 'unknown addresses; a direct route matches a known one'],
  ['onSend', 'unread bodies; a direct route has read the body'],
  ['preParsing', 'the budget of bodies; direct routes take small ones that have arrived'],
  ['onSend', 'the budget of bodies'],
  ['onSend', 'closes connections during a shutdown; direct routes do so themselves'],
];

it('has no global hook besides the request steps and those that direct routes can omit', async () => {
  const registered: string[] = [];
  const { getInstance } = FastifyAdapter.prototype;
  let root: FastifyInstance | undefined;
  FastifyAdapter.prototype.getInstance = function (this: FastifyAdapter) {
    const instance = getInstance.call(this) as FastifyInstance;
    if (root === undefined) {
      root = instance;
      const { addHook } = instance;
      // Scopes inherit the function; their hooks are not global.
      instance.addHook = function (this: FastifyInstance, ...hook: [never, never]) {
        if (this === root) registered.push(hook[0]);
        return addHook.apply(this, hook);
      };
    }
    return instance as never;
  };
  const settings = { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x', DRAIN_TIME: '0' };
  const config = loadConfig(ServiceConfig, settings);
  const logger = createLogger('kit-test', 'silent');
  const definition = { name: 'kit-test', config, module: EmptyModule, health: {} };
  try {
    const { close } = await startService(definition, logger);
    await close();
  } finally {
    FastifyAdapter.prototype.getInstance = getInstance;
  }
  expect(registered).toEqual(HOOKS.map(([name]) => name));
});
