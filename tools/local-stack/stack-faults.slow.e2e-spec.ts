// Messages of the commands when a stack cannot start, or is not yours.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestedStack, testedStack } from './tested-stack.js';

let stack: TestedStack;
beforeAll(async () => {
  stack = await testedStack();
});
afterAll(() => stack.remove());

it('names a taken port and how to move, and starts nothing', async () => {
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(stack.base + 2, '127.0.0.1', resolve));
  try {
    const { code, output } = await stack.tool('start', '--port-base', String(stack.base));
    expect(code).toBe(1);
    expect(output).toContain(`Port ${stack.base + 2} (dsync-api) is taken`);
    expect(output).toContain('--port-base');
    expect(stack.processes()).toEqual([]);
  } finally {
    await new Promise((resolve) => squatter.close(resolve));
  }
});

it.each([
  ['DATABASE_URL', 'mysql://me:hunter2@localhost/x', 'DATABASE_URL is not an address'],
  ['DATABASE_URL', 'postgres://me:hunter2@127.0.0.1:1/x', 'cannot use PostgreSQL at 127.0.0.1:1'],
  ['REDIS_URL', 'redis://:hunter2@127.0.0.1:1', 'cannot use Redis at 127.0.0.1:1'],
])('names an unusable %s, and never its password', async (variable, value, message) => {
  stack.environment[variable] = value;
  try {
    const { code, output } = await stack.tool('start', '--port-base', String(stack.base));
    expect(code).toBe(1);
    expect(output).toContain(message);
    expect(output).not.toContain('hunter2');
  } finally {
    delete stack.environment[variable];
  }
});

it('names a bad setting of a service before it makes any table', async () => {
  stack.environment['LOG_LEVEL'] = 'loud';
  try {
    const { code, output } = await stack.tool('start', '--port-base', String(stack.base));
    expect(code).toBe(1);
    expect(output).toMatch(/A setting of key-service is not valid:\s+LOG_LEVEL: must be one of/);
    expect(output).not.toContain('migrations');
  } finally {
    delete stack.environment['LOG_LEVEL'];
  }
});

// Only root can run a command as another user.
const itAsRoot = process.getuid?.() === 0 ? it : it.skip;
itAsRoot.each(['status', 'start'])('npm run %s says when the stack is not yours', (name) => {
  const closed = mkdtempSync(join(tmpdir(), 'gatehouse-closed-'));
  chmodSync(closed, 0o755);
  writeFileSync(join(closed, 'stack.json'), '{}', { mode: 0o600 });
  const command = [join('tools', `${name}.mjs`)];
  const { status, stderr } = spawnSync(process.execPath, command, {
    env: { ...stack.environment, GATEHOUSE_LOCAL_FOLDER: closed },
    encoding: 'utf8',
    uid: 65_534,
  });
  rmSync(closed, { recursive: true });
  expect(status).toBe(1);
  expect(stderr).toContain('this stack belongs to another user');
  expect(stderr).not.toContain('    at ');
});

it('refuses an option that it does not know, with the usage', async () => {
  const { code, output } = await stack.tool('start', '--port', '1');
  expect(code).toBe(2);
  expect(output).toContain('Usage: npm start');
});
