import { createServer, type Server } from 'node:net';
import {
  freeStorePort,
  isPortFree,
  parsePortBase,
  parseReplicas,
  portPlan,
  portsOf,
  requireFreePorts,
} from './ports.mjs';

describe('portPlan', () => {
  it('gives the documented ports for the default base', () => {
    expect(portPlan(parsePortBase(undefined))).toMatchObject({
      gateway: 8080,
      gatewayAdmin: 8089,
      gatewayMetrics: 9080,
      apps: {
        'key-service': 8081,
        'dsync-api': 8082,
        'identity-forms': 8083,
        'dsync-worker': 8084,
        console: 8085,
      },
      metrics: { 'key-service': 9081, 'dsync-worker': 9084 },
    });
  });

  it('never uses a port twice', () => {
    const ports = portsOf(portPlan(18_080), 5).map(({ port }) => port);
    expect(new Set(ports).size).toBe(ports.length);
  });
});

describe('parseReplicas', () => {
  it.each(['', '0', '6', '-1', '2.0', '10', 'two'])('refuses "%s" and repeats it', (text) => {
    expect(() => parseReplicas(text)).toThrow(`--replicas is "${text}"`);
  });

  it('takes the ends of its range, and one process of each service by default', () => {
    expect([undefined, '1', '5'].map(parseReplicas)).toEqual([1, 1, 5]);
  });
});

describe('parsePortBase', () => {
  it.each(['', '80', '1023', '64001', '18080.5', '0x4000', '-1', 'abc', ' 8080'])(
    'refuses "%s" and repeats it',
    (text) => {
      expect(() => parsePortBase(text)).toThrow(`--port-base is "${text}"`);
    },
  );

  it('takes the ends of its range', () => {
    expect([parsePortBase('1024'), parsePortBase('64000')]).toEqual([1024, 64_000]);
  });
});

describe('a taken port', () => {
  let server: Server;
  let port: number;

  beforeEach(async () => {
    port = await freeStorePort();
    server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  });

  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('is not free', async () => {
    expect(await isPortFree(port)).toBe(false);
  });

  it('is refused by name, with the way out', async () => {
    await expect(requireFreePorts([{ name: 'gateway', port }])).rejects.toMatchObject({
      message: expect.stringContaining(`Port ${port} (gateway) is taken`),
      remedy: expect.stringContaining('--port-base'),
    });
  });
});
