import { createServer } from 'node:http';
import {
  createTestDatabase,
  freePort,
  listenOnLoopback,
  tcpProxy,
  type TestDatabase,
} from '@gatehouse/testing';
import { loadConfig } from '@gatehouse/kit/settings';
import { ServiceConfig } from '../src/config/service.config.js';
import { untilDatabaseAnswers } from '../src/http/stand-in.js';
import { createLogger } from '../src/logging/logger.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const wait = (databaseUrl: string, port: number) => {
  const settings = { DATABASE_URL: databaseUrl, REDIS_URL: 'redis://127.0.0.1:1' };
  const config = loadConfig(ServiceConfig, { ...settings, HOST: '127.0.0.1', PORT: String(port) });
  return untilDatabaseAnswers({ config }, createLogger('kit-test', 'silent'));
};

it('does not listen when PostgreSQL answers at once', async () => {
  expect(await wait(database.url, await freePort())).toBeUndefined();
});

it('rejects when its port is taken', async () => {
  const server = createServer();
  const port = await listenOnLoopback(server);
  const proxy = await tcpProxy(database.url);
  await proxy.cut();
  await expect(wait(proxy.url, port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await new Promise((resolve) => server.close(resolve));
});
