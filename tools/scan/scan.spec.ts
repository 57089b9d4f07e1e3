/** The scan finds each of our secrets in files, and shows none of them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { IssuedSecretCodec, KeyRing } from '@gatehouse/crypto';
import { Progress } from '#local-stack/progress.mjs';
import { addressOf, scan } from './scan.js';
import { SecretFinder } from './secret-finder.js';

const ring = KeyRing.fromTexts(['scan-secret-scan-secret-scan-secret-1']);
const codec = new IssuedSecretCodec(ring);
const newSecret = (prefix = 'gate_sk') =>
  codec.issue(prefix, randomUUID().replace(/^(.{14})./, '$17'));

let folder: string;
let printed = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scan-'));
  printed = '';
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};
const run = (
  more: { prefixes?: string[]; ring?: KeyRing; isAll?: boolean; roots?: string[] } = {},
) =>
  scan({
    roots: more.roots ?? [folder],
    api: undefined,
    url: '',
    isAll: more.isAll ?? false,
    format: { prefixes: more.prefixes ?? ['gate_sk'], ring: 'ring' in more ? more.ring : ring },
    signal: new AbortController().signal,
    progress: new Progress({ write: (text) => (printed += text) }),
  });

it('1: finds a secret with its line in every kind of text, and never prints it', async () => {
  const secret = newSecret();
  write('a/.env', `A=1\nKEY=${secret}\n`);
  write('b.json', `{"text":"x\\n${secret}\\ny"}`);
  write('glued.txt', `x${secret}zzzz`);
  write('windows.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(secret, 'utf16le')]));
  write(`${secret}.txt`, secret);
  expect(await run()).toBe(1);
  expect(printed).toContain('a/.env:2  gate_sk_v1_…');
  expect(printed).toContain('gate_sk….txt:1  ');
  expect(printed).toContain('1 secret in 5 places');
  expect(printed).not.toContain(secret);
  expect(printed).not.toContain(secret.slice(12, 40));
});

it('0: an altered or foreign secret, another prefix, and what is left out by default', async () => {
  const secret = newSecret();
  write(
    'altered',
    secret.replace(/.$/, (last) => (last === '1' ? '2' : '1')),
  );
  write(
    'foreign',
    new IssuedSecretCodec(KeyRing.fromTexts(['x'.repeat(40)])).issue('gate_sk', randomUUID()),
  );
  write('prefix', newSecret('pay_sk'));
  write('node_modules/a/b', secret);
  write('.git/config', secret);
  write('binary', `\0${secret}`);
  mkdirSync(join(folder, 'linked'));
  symlinkSync(join(folder, '.git'), join(folder, 'linked', 'again'));
  expect(await run()).toBe(0);
  expect(printed).toContain('Left out: 1 binary file');
  expect(await run({ isAll: true })).toBe(1);
  expect(printed).toContain('1 secret in 3 places');
  expect(await run({ prefixes: ['gate_sk', 'pay_sk'] })).toBe(1);
});

it('1: without HMAC_SECRETS, what has the form of a secret counts', async () => {
  write('a', `${newSecret()}\ngate_sk_v1_${'z'.repeat(60)}_${'z'.repeat(20)}`);
  expect(await run({ ring: undefined })).toBe(1);
  expect(printed).toContain('1 secret in 1 place');
});

it('3 when something could not be read, and an error for a folder that does not exist', async () => {
  write('a', 'nothing');
  mkdirSync(join(folder, 'deep'));
  rmSync(join(folder, 'a'));
  symlinkSync('/nowhere', join(folder, 'a'));
  await expect(run({ roots: [join(folder, 'none')] })).rejects.toThrow('There is no');
  expect(await run({ roots: ['/proc/self/mem'] })).toBe(3);
  expect(printed).toContain('mem  could not be read');
});

it('finds secrets across the borders of pieces, once each, with their lines', () => {
  const secrets = Array.from({ length: 20 }, () => newSecret());
  const text = secrets.map((secret, n) => `${'\n'.repeat(n)}"${secret}"`).join(' ');
  const finder = new SecretFinder(['gate_sk'], ring);
  const lines = secrets.map((_, n) => 1 + (n * (n + 1)) / 2);
  for (const size of [1, 7, 64, 141, 500, 100_000]) {
    const take = finder.open();
    const found = [];
    for (let at = 0; at < text.length; at += size) {
      found.push(...take(text.slice(at, at + size), false));
    }
    found.push(...take('', true));
    expect(found.map(({ secret }) => secret)).toEqual(secrets);
    expect(found.map(({ line }) => line)).toEqual(lines);
  }
});

it('finds a secret directly behind what only looks like one', () => {
  const secret = newSecret();
  for (const length of [16, 18, 20, 22]) {
    const invented = `gate_sk_v1_${'z'.repeat(60)}_${'z'.repeat(length)}`;
    const found = new SecretFinder(['gate_sk'], ring).open()(invented + secret, true);
    expect(found).toMatchObject([{ secret }]);
  }
});

it('reports a place as an address, whatever the name of the file is', () => {
  expect(addressOf('a b/c#1?.ts:7')).toBe('a%20b/c%231%3F.ts#L7');
});

it('takes memory and time in line with the size of a piece, whatever the text is', () => {
  const finder = new SecretFinder(['gate_sk', 'gate_s'], ring);
  for (const part of [
    'gate_sk_v1_',
    `gate_sk_v1_${'z'.repeat(66)}_`,
    'z',
    '\n',
    randomBytes(99).toString('latin1'),
  ]) {
    const take = finder.open();
    const piece = part.repeat(Math.ceil(1e6 / part.length));
    const start = performance.now();
    for (let n = 0; n < 3; n += 1) expect(take(piece, false)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(3_000);
  }
});
