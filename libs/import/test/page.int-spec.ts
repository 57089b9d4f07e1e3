/** The commands of docs/moving-from-polis.md, on what the real Polis has stored. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestDatabase } from '@gatehouse/testing';
import { workspace } from '#local-stack/layout.mjs';
import { Progress } from '#local-stack/progress.mjs';
import { main } from '../src/main.js';
import { type ImportTarget, openImportTarget } from './imported-polis.js';
import { recordedPolis, storeRecords } from './recorded-polis.js';

const recorded = recordedPolis();
const page = readFileSync(join(workspace, 'docs/moving-from-polis.md'), 'utf8');
const commands = new Set(
  [...page.matchAll(/npm run import -- (polis[^`\n]*)/g)].map(([, command = '']) => command),
);
const run = new Set<string>();
const folder = mkdtempSync(join(tmpdir(), 'import-polis-'));

let before: NodeJS.ProcessEnv;
let polis: TestDatabase;
let target: ImportTarget;
beforeAll(async () => {
  before = { ...process.env };
  polis = await storeRecords(recorded);
  target = await openImportTarget();
  Object.assign(process.env, {
    DATABASE_URL: target.database.url,
    ENCRYPTION_KEYS: target.encryptionKey,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    POLIS_DATABASE_URL: polis.url,
    POLIS_DB_ENCRYPTION_KEY: recorded.encryptionKey,
  });
});
afterAll(async () => {
  process.env = before;
  await target.close();
  await polis.drop();
  rmSync(folder, { recursive: true });
});

/** Runs a command of the page. @returns its exit code and what it prints */
async function runs(command: string): Promise<{ exitCode: number; printed: string }> {
  run.add(command);
  let printed = '';
  const progress = new Progress({ write: (text) => (printed += text) });
  const args = command.replace('report.json', join(folder, 'report.json')).split(' ');
  const exitCode = await main(args, progress);
  for (const { connection } of Object.values(recorded.connections)) {
    expect(printed).not.toContain(connection.scim.secret);
  }
  return { exitCode, printed };
}

const directories = () => target.database.query('SELECT id FROM dsync.directories');

it('tries, moves, takes over the rest, goes back, moves again and activates', async () => {
  const tried = await runs('polis');
  expect(tried).toMatchObject({ exitCode: 0 });
  expect(tried.printed.match(/would import/g)).toHaveLength(2);
  expect(await runs('polis --tenant acme --report report.json')).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toMatchObject({
    dry_run: true,
    directories: [],
  });
  expect(await directories()).toEqual([]);

  const moved = await runs('polis --apply');
  expect(moved).toMatchObject({ exitCode: 0 });
  expect(moved.printed.match(/ imported /g)).toHaveLength(2);
  const compared = await runs('polis --delta');
  expect(compared.printed.match(/would compare/g)).toHaveLength(2);
  expect(await runs('polis --apply --delta')).toMatchObject({ exitCode: 0 });

  const wouldDiscard = await runs('polis --discard');
  expect(wouldDiscard).toMatchObject({ exitCode: 0 });
  expect(wouldDiscard.printed).toContain('2 directories were found. Add --apply to delete.');
  expect((await runs('polis --discard --apply')).printed).toContain('2 directories were deleted.');
  const tooEarly = await runs('polis --apply');
  expect(tooEarly).toMatchObject({ exitCode: 3 });
  expect(tooEarly.printed).toContain('can be imported again from 2');
  await target.database.query(
    `UPDATE dsync.directories SET deleted_at = deleted_at - interval '10 minutes'`,
  );
  expect((await runs('polis --apply')).printed.match(/ imported /g)).toHaveLength(2);

  expect((await runs('polis --activate')).printed).toContain('2 directories were activated.');
  expect((await runs('polis --discard')).printed).toContain('0 directories were found');
  expect(await runs('polis --apply')).toMatchObject({ exitCode: 3 });
});

it('names directories that wait for no activation', async () => {
  const [{ id } = { id: '' }] = (await directories()) as { id: string }[];
  for (const task of ['activate', 'discard']) {
    const { exitCode, printed } = await runs(`polis --${task} --directory ${id}`);
    expect([exitCode, printed]).toEqual([3, expect.stringContaining(`${id} has no import`)]);
    run.delete(`polis --${task} --directory ${id}`);
  }
});

it('were all run', () => {
  expect([...run].sort()).toEqual([...commands].sort());
});
