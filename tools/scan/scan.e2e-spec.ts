/** What the scan finds is reported to the key service, which revokes it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestStack, type TestStack } from '@gatehouse/testing';
import { main } from './main.js';

const ADMIN_KEY = 'test-admin-key-test-admin-key';
const HMAC_SECRET = 'test-hmac-secret-test-hmac-secret-01';
const folder = mkdtempSync(join(tmpdir(), 'scan-'));

let stack: TestStack;
let before: NodeJS.ProcessEnv;
beforeAll(() => {
  before = { ...process.env };
});
afterAll(async () => {
  process.env = before;
  rmSync(folder, { recursive: true });
  await stack.close();
});

it('exits with 1 for a key of the service, which is revoked, and with 0 for what is none', async () => {
  stack = await openTestStack('key-service', {
    settings: {
      ADMIN_API_KEYS: ADMIN_KEY,
      HMAC_SECRETS: HMAC_SECRET,
      SECRET_PREFIX: 'pay_sk',
      ENCRYPTION_KEYS: 'test-encryption-key-test-encryption-1',
    },
  });
  const { url, http } = await stack.start('key-service');
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const post = (path: string, json: object) =>
    http.send('POST', `/v2alpha1/admin/${path}`, { headers, json });
  const fields = { name: 'CI', actor_id: 'alice' };
  const { secret } = (await post('issuedApiKeys', fields)).body as { secret: string };
  const { body } = await post('issuedApiKeys', { ...fields, scopes: ['keys:report'] });
  Object.assign(process.env, {
    INIT_CWD: folder,
    KEY_SERVICE_URL: url,
    KEY_SERVICE_API_KEY: body.secret as string,
  });
  const altered = secret.replace(/.$/, (last) => (last === '1' ? '2' : '1'));
  writeFileSync(join(folder, 'config'), `\n\nkey = ${altered}`);
  expect(await main(['.', '--report'])).toBe(0);
  writeFileSync(join(folder, 'config'), `\n\nkey = ${secret}`);
  expect(await main(['.'])).toBe(0);
  process.env['SECRET_PREFIX'] = 'pay_sk';
  process.env['HMAC_SECRETS'] = HMAC_SECRET;
  expect(await main(['.'])).toBe(1);
  const verified = async () =>
    (await post('apiKeys:verify', { credential: secret })).body as object;
  expect(await verified()).toMatchObject({ is_valid: true });
  expect(await main(['.', '--report', '--url', 'https://git.example.com/a/'])).toBe(1);
  expect(await verified()).toMatchObject({ status: 'KEY_STATUS_REVOKED' });
  const events = await http.send('GET', '/v2alpha1/admin/events?type=key.exposed', { headers });
  expect(events.body.events).toMatchObject([
    { data: { url: 'https://git.example.com/a/config#L3', source: 'scan' } },
  ]);
  await expect(main([])).rejects.toMatchObject({ exitCode: 2 });
  for (const base of ['https://bot:t0ken@git.example.com/', 'https://git.example.com/?key=t0ken']) {
    await expect(main(['.', '--url', base])).rejects.toMatchObject({ exitCode: 2 });
  }
});
