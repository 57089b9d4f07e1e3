import { spawn } from 'node:child_process';
import { createTestDatabase, eventually, type TestDatabase } from '@gatehouse/testing';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

it('the example program answers SCIM requests and prints what changes', async () => {
  const program = spawn(process.execPath, ['examples/directory-sync-in-process.mjs'], {
    env: { PATH: process.env.PATH, DATABASE_URL: database.url },
  });
  const exited = new Promise((resolve) => program.once('exit', resolve));
  let printed = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  }
  try {
    const [, address, token] = await eventually(
      () => {
        const found = /SCIM address: (\S+)\nbearer token: (\S+)/.exec(printed);
        if (!found) throw new Error(printed);
        return found;
      },
      { timeoutMs: 20_000 },
    );
    const send = (method: string, body?: object) =>
      fetch(`${address}/Users`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        body: body && JSON.stringify(body),
      });
    expect((await send('POST', { userName: 'ann@example.com' })).status).toBe(201);
    expect(await (await send('GET')).json()).toMatchObject({ totalResults: 1 });
    expect(printed).toMatch(/\d+ user\.created ann@example\.com/);
  } finally {
    program.kill('SIGTERM');
    await exited;
  }
});
