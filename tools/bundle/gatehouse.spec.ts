import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Prints its name and arguments once it has waited, as a program does that uses a database. */
const PROGRAM = `import { setImmediate } from 'node:timers/promises';
const path = import.meta.url.split('/').slice(-2).join('/');
void (async () => {
  await setImmediate();
  console.log([path, ...process.argv.slice(2)].join(' '));
  if (path === process.env.FAILING) process.exitCode = 1;
})();`;
const PROGRAMS = [
  'gatehouse/main.js',
  ...['main', 'migrate', 'rotate-signing-key'].map((program) => `key-service/${program}.js`),
  ...['main', 'migrate'].map((program) => `dsync-api/${program}.js`),
  'dsync-worker/main.js',
  ...['main', 'migrate'].map((program) => `identity-forms/${program}.js`),
  ...['main', 'migrate'].map((program) => `console/${program}.js`),
];

let bundles = '';
beforeAll(() => {
  bundles = mkdtempSync(join(tmpdir(), 'gatehouse-command-'));
  writeFileSync(join(bundles, 'package.json'), '{ "type": "module" }');
  for (const program of PROGRAMS) {
    mkdirSync(join(bundles, program, '..'), { recursive: true });
    writeFileSync(join(bundles, program), PROGRAM);
  }
  cpSync(join(import.meta.dirname, 'gatehouse.mjs'), join(bundles, 'gatehouse', 'gatehouse.js'));
  const manifest = '{ "type": "module", "version": "1.2.3" }';
  writeFileSync(join(bundles, 'gatehouse', 'package.json'), manifest);
});
afterAll(() => rmSync(bundles, { recursive: true, force: true }));

function gatehouse(args: string[], env: Record<string, string> = {}) {
  const command = join(bundles, 'gatehouse', 'gatehouse.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout: stdout.trim().split('\n'), stderr };
}

it.each([
  ['', 'gatehouse/main.js'],
  ['key-service', 'key-service/main.js'],
  ['dsync-api', 'dsync-api/main.js'],
  ['dsync-worker', 'dsync-worker/main.js'],
  ['identity-forms', 'identity-forms/main.js'],
  ['console', 'console/main.js'],
  ['migrate dsync-api down --to First --yes', 'dsync-api/migrate.js down --to First --yes'],
  ['rotate-signing-key --at-once', 'gatehouse/main.js rotate-signing-key --at-once'],
  ['key-service rotate-signing-key', 'key-service/rotate-signing-key.js'],
  ['admin-key', 'gatehouse/main.js admin-key'],
])('gatehouse %s runs %s', (args, program) => {
  expect(gatehouse(args.split(' ').filter(Boolean))).toEqual({
    status: 0,
    stdout: [program],
    stderr: '',
  });
});

it('applies the migrations of all services in turn, and stops at the first that fails', () => {
  const apps = ['key-service', 'dsync-api', 'identity-forms', 'console'];
  const all = apps.map((app) => `${app}/migrate.js up`);
  expect(gatehouse(['migrate'])).toEqual({ status: 0, stdout: all, stderr: '' });
  expect(gatehouse(['migrate', 'up'])).toEqual({ status: 0, stdout: all, stderr: '' });
  const failing = gatehouse(['migrate'], { FAILING: 'dsync-api/migrate.js' });
  expect(failing).toEqual({ status: 1, stdout: all.slice(0, 2), stderr: '' });
});

it('prints its version and its usage', () => {
  expect(gatehouse(['--version'])).toEqual({ status: 0, stdout: ['1.2.3'], stderr: '' });
  expect(gatehouse(['--help']).stdout[0]).toBe('Usage: gatehouse [COMMAND]');
});

it.each(['nonsense', 'main', 'key-service --now', 'migrate down --yes', 'migrate dsync-worker'])(
  'exits with 2 and the usage when it is given %s',
  (args) => {
    expect(gatehouse(args.split(' '))).toMatchObject({
      status: 2,
      stdout: [''],
      stderr: expect.stringContaining(`"${args}" is not understood.\n\nUsage: gatehouse`),
    });
  },
);
