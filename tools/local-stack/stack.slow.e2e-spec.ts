// Runs the commands as a developer does, in a separate folder and on separate ports.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { APP_NAMES as apps, isPortFree } from './ports.mjs';
import { type TestedStack, testedStack } from './tested-stack.js';

const START_MS = 180_000;

let stack: TestedStack;
let folder: string;
let base: number;

beforeAll(async () => {
  stack = await testedStack();
  ({ folder, base } = stack);
});
afterAll(() => stack.remove());

const tool = (name: string, ...args: string[]) => stack.tool(name, ...args);
const portBase = () => ['--port-base', String(base)];
const processesOfStack = () => stack.processes();
const record = () => JSON.parse(readFileSync(join(folder, 'stack.json'), 'utf8'));

describe('npm start -- --detach', () => {
  let output: string;

  beforeAll(async () => {
    const started = await tool('start', '--detach', ...portBase());
    output = started.output;
    if (started.code !== 0) throw new Error(output);
  }, START_MS);

  afterAll(async () => {
    await tool('stop');
  });

  it('prints where everything is, and the credentials', () => {
    for (const app of apps) expect(output).toContain(app);
    expect(output).toContain(`http://127.0.0.1:${base}/sign-up?schema=example`);
    for (const key of Object.values(record().credentials)) expect(output).toContain(key);
  });

  it('writes the address book for scripts, for the eyes of its owner', () => {
    const at = (port: number) => `http://127.0.0.1:${port}`;
    expect(record()).toEqual({
      services: {
        gateway: { url: at(base), admin: at(base + 9) },
        'key-service': { url: at(base + 1), metrics: `${at(base + 1001)}/metrics` },
        'dsync-api': { url: at(base + 2), metrics: `${at(base + 1002)}/metrics` },
        'identity-forms': { url: at(base + 3), metrics: `${at(base + 1003)}/metrics` },
        'dsync-worker': { url: at(base + 4), metrics: `${at(base + 1004)}/metrics` },
        console: { url: at(base + 5), metrics: `${at(base + 1005)}/metrics` },
      },
      credentials: {
        adminApiKey: expect.any(String),
        keysAdminApiKey: expect.any(String),
        formsAdminApiKey: expect.any(String),
        dsyncApiKey: expect.any(String),
        workerAdminApiKey: expect.any(String),
      },
      databaseUrl: expect.stringMatching(/^postgres:/),
      redisUrl: expect.stringMatching(/^redis:/),
    });
    expect(statSync(join(folder, 'stack.json')).mode & 0o077).toBe(0);
  });

  it('serves every service through the admin surface of the gateway, and its metrics beside it', async () => {
    const { services } = record();
    for (const app of ['key-service', 'dsync-api', 'identity-forms']) {
      const response = await fetch(`${services.gateway.admin}/${app}/health/ready`);
      expect([app, response.status]).toEqual([app, 200]);
    }
    for (const app of apps) {
      const response = await fetch(services[app].metrics);
      expect([app, response.status]).toEqual([app, 200]);
    }
  });

  it('opens the console at the admin surface to the key that opens all services', async () => {
    const { services, credentials } = record();
    expect(output).toContain(`${services.gateway.admin}/console`);
    const signIn = (key: string) =>
      fetch(`${services.gateway.admin}/console/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ key }),
      });
    const { status, headers } = await signIn(credentials.adminApiKey);
    expect(status).toBe(303);
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
    const access = `${services.gateway.admin}/console/access`;
    expect((await fetch(access, { headers: { cookie } })).status).toBe(200);
    expect((await signIn('not-a-key-of-this-stack')).status).toBe(403);
    expect((await fetch(`${services.gateway.url}/console`)).status).toBe(404);
  });

  it('gives flows an address on the public surface, whichever surface started them', async () => {
    const { services, credentials } = record();
    const response = await fetch(`${services.gateway.admin}/v1/flows`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${credentials.formsAdminApiKey}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ kind: 'sign-up', schema_id: 'example' }),
    });
    const { url } = (await response.json()) as { url: string };
    expect(new URL(url).origin).toBe(services.gateway.url);
    expect((await fetch(url, { headers: { Accept: 'text/html' } })).status).toBe(200);
  });

  it('opens each admin surface to its own key alone', async () => {
    const list = (key: string) =>
      fetch(`${record().services.gateway.admin}/v2alpha1/admin/issuedApiKeys`, {
        headers: { Authorization: `Bearer ${key}` },
      });
    const { keysAdminApiKey, formsAdminApiKey, dsyncApiKey } = record().credentials;
    expect((await list(keysAdminApiKey)).status).toBe(200);
    for (const other of [formsAdminApiKey, dsyncApiKey, 'not-a-key-of-this-stack']) {
      expect((await list(other)).status).toBe(401);
    }
  });

  it('restarts a service from its sources for npm run dev, and leaves it when that ends', async () => {
    const pidOf = () =>
      JSON.parse(readFileSync(join(folder, 'run', 'processes', 'identity-forms.json'), 'utf8')).pid;
    const before = pidOf();
    const dev = spawn(process.execPath, ['tools/dev.mjs', 'identity-forms'], {
      env: stack.environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(dev, 'exit');
    try {
      await new Promise<void>((resolve) => {
        dev.stdout.on('data', (text) => String(text).includes('✓') && resolve());
        dev.once('exit', () => resolve());
      });
      expect(pidOf()).not.toBe(before);
    } finally {
      dev.kill('SIGINT');
    }
    expect(await ended).toEqual([0, null]);
    const { url } = record().services['identity-forms'];
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  it("gives each service a role that cannot read another's tables", async () => {
    const { databases } = JSON.parse(readFileSync(join(folder, 'run', 'state.json'), 'utf8'));
    const ask = async (url: string, sql: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return await client.query(sql);
      } finally {
        await client.end();
      }
    };
    await expect(ask(databases.dsync, 'SELECT * FROM dsync.migrations')).resolves.toBeDefined();
    for (const url of [databases['key-service'], databases['identity-forms']]) {
      await expect(ask(url, 'SELECT * FROM dsync.migrations')).rejects.toThrow(
        'permission denied for schema dsync',
      );
    }
    const worker = databases['delivery-worker'];
    await expect(ask(worker, 'SELECT * FROM keys.endpoints')).resolves.toBeDefined();
    for (const table of ['keys.api_keys', 'keys.audit_events', 'forms.identities']) {
      await expect(ask(worker, `SELECT * FROM ${table}`)).rejects.toThrow('permission denied');
    }
    await expect(ask(worker, 'DELETE FROM keys.events')).rejects.toThrow('permission denied');
  });

  it('is refused a second time, with the way out', async () => {
    const second = await tool('start', ...portBase());
    expect(second.code).toBe(1);
    expect(second.output).toMatch(/runs already[^]*npm run stop/);
  });

  it('has its signing key rotated by npm run keys:rotate-signing', async () => {
    const { code, output } = await tool('rotate-signing', '--at-once');
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/Signing key \S+ added; the running replicas have been told/),
    ]);
  });

  it('loses its tables only to a confirmed npm run migrate -- down, and is not ready then', async () => {
    const app = ['--app', 'identity-forms'];
    const asked = await tool('migrate', 'down', ...app);
    expect(asked).toMatchObject({ code: 2, output: expect.stringContaining('--yes') });
    expect((await tool('status')).code).toBe(0);
    const done = await tool('migrate', 'down', ...app, '--yes');
    expect(done.output).toContain('The data of identity-forms is deleted');
    const status = await tool('status');
    expect(status.code).toBe(1);
    expect(status.output).toMatch(/identity-forms .* not ready/);
    expect((await tool('migrate', 'up', ...app)).code).toBe(0);
  });

  it('is seen by npm run status', async () => {
    const { code, output } = await tool('status');
    expect({ code, ready: output.match(/ready/g)?.length }).toEqual({ code: 0, ready: 6 });
  });

  it('leaves no process and no taken port after npm run stop', async () => {
    expect((await tool('stop')).output).toContain('Stopped: ');
    expect(processesOfStack()).toEqual([]);
    await expect(isPortFree(base + 10)).resolves.toBe(true);
    expect((await tool('status')).code).toBe(3);
  });
});

describe('npm start in the foreground', () => {
  /** Starts it and resolves when it says that all is ready. */
  async function startForeground(): Promise<{ child: ChildProcess; ended: Promise<number> }> {
    const child = spawn(process.execPath, [join('tools', 'start.mjs'), ...portBase()], {
      env: stack.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    const ended = new Promise<number>((resolve) =>
      child.once('exit', (code) => resolve(code ?? -1)),
    );
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes('Ctrl-C stops it')) resolve();
      });
      child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      void ended.then(() => reject(new Error(printed)));
    });
    return { child, ended };
  }

  it(
    'keeps the data of the run before, and ends all of it within ten seconds of Ctrl-C',
    async () => {
      const before = readFileSync(join(folder, 'secrets.json'), 'utf8');
      const { child, ended } = await startForeground();
      expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toBe(before);
      const interruptedAt = performance.now();
      child.kill('SIGINT');
      expect(await ended).toBe(0);
      expect(performance.now() - interruptedAt).toBeLessThan(10_000);
      expect(processesOfStack()).toEqual([]);
    },
    START_MS,
  );

  it(
    'leaves nothing behind even when it is killed',
    async () => {
      const { child, ended } = await startForeground();
      child.kill('SIGKILL');
      await ended;
      const deadline = performance.now() + 15_000;
      while (processesOfStack().length > 0 && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(processesOfStack()).toEqual([]);
    },
    START_MS,
  );
});

describe('npm start -- --replicas 2', () => {
  it(
    'runs two processes of each service, and the gateway uses both',
    async () => {
      const started = await tool('start', '--detach', '--replicas', '2', ...portBase());
      expect(started).toMatchObject({ code: 0 });
      const { services } = record();
      const names = Object.keys(services);
      expect(names.sort()).toEqual(['gateway', ...apps, ...apps.map((app) => `${app}-2`)].sort());
      for (let n = 0; n < 8; n++) await fetch(`${services.gateway.admin}/key-service/version`);
      for (const name of ['key-service', 'key-service-2']) {
        const metrics = await (await fetch(services[name].metrics)).text();
        expect(metrics).toMatch(/^http_request_duration_seconds_count\{.*route="\/version"/m);
      }
      expect((await tool('stop')).output).toContain('key-service-2');
      expect(processesOfStack()).toEqual([]);
    },
    START_MS,
  );
});

describe('npm run reset', () => {
  it('removes data, logs and secrets, once that is confirmed', async () => {
    const asked = await tool('reset');
    expect(asked).toMatchObject({ code: 2, output: expect.stringContaining('--yes') });
    expect(readdirSync(folder)).toContain('postgres');
    expect((await tool('reset', '--yes')).code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    expect(await tool('reset')).toEqual({ code: 0, output: 'There is nothing to remove.\n' });
  });
});
