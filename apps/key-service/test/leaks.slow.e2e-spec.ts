/** Keys that were found in public are reported by GitHub, signed, and by administrators. */
import {
  type Answer,
  eventually,
  type FakeGithubKeys,
  startFakeGithubKeys,
} from '@gatehouse/testing';
import {
  ADMIN_KEY,
  bearer,
  type KeyServiceStack,
  namedFields,
  reasonOf,
  startKeyService,
} from './key-stack.js';

const PATH = '/v2alpha1/apiKeys:reportGithubLeaks';
const PLACE = 'https://github.com/octocat/Hello-World/blob/1234560/config.json';
const HINT = { timeoutMs: 4_000 };

let github: FakeGithubKeys;
let otherGithub: FakeGithubKeys;
let service: KeyServiceStack;
/** A replica with LEAK_ACTION=notify. */
const NOTIFYING = 1;

beforeAll(async () => {
  [github, otherGithub] = [await startFakeGithubKeys(), await startFakeGithubKeys()];
  const settings = { ADMIN_API_KEYS: ADMIN_KEY, SECRET_SCANNING_KEYS_URL: github.url };
  service = await startKeyService(settings);
  await service.start({ LEAK_ACTION: 'notify' });
});
afterAll(async () => {
  await service.close();
  await github.close();
  await otherGithub.close();
});

const asAdmin = { headers: bearer(ADMIN_KEY) };
const admin = (method: string, path: string, body?: unknown, replica = 0) =>
  service.admin(method, path, body, { ...asAdmin, replica });
const issue = async (fields: object = {}) => {
  const { body } = await admin('POST', '/issuedApiKeys', {
    name: 'Test',
    actor_id: 'owner',
    ...fields,
  });
  return { id: body.issued_api_key.key_id as string, secret: body.secret as string };
};
const found = (token: string, more: object = {}) => ({
  token,
  type: 'gatehouse_api_key',
  url: PLACE,
  source: 'content',
  ...more,
});
const sendSigned = (body: string, replica = 0, headers = github.headersFor(body)) =>
  service.call('POST', PATH, body, { headers, replica });
const reportAll = (items: object[], replica = 0) => sendSigned(JSON.stringify(items), replica);
const labels = ({ body }: Answer) => (body as { label: string }[]).map(({ label }) => label);
const fault = (answer: Answer) => [answer.status, reasonOf(answer)];
const errorOf = async (credential: string, replica = 0) =>
  (await admin('POST', '/apiKeys:verify', { credential }, replica)).body.error_code as unknown;
const undelete = async (id: string) => fault(await admin('POST', `/apiKeys/${id}:undelete`));
const eventsOf = async (id: string) => {
  const { body } = await admin('GET', '/events?page_size=1000');
  const events = body.events as { event: string; data: Record<string, unknown> }[];
  return events.filter(({ data }) => data.key_id === id);
};
const namesOf = async (id: string) => (await eventsOf(id)).map(({ event }) => event);

describe('a report of GitHub', () => {
  it('200: revokes the keys, for good, and says of each token whether it was one', async () => {
    const { id, secret } = await issue();
    const invented = `${secret.slice(0, -1)}${secret.endsWith('1') ? '2' : '1'}`;
    expect(await errorOf(secret, NOTIFYING)).toBeUndefined();
    const answer = await reportAll([found(secret), found(invented), found('anything else')]);
    expect(answer.status).toBe(200);
    expect(labels(answer)).toEqual(['true_positive', 'false_positive', 'false_positive']);
    expect(answer.body[0]).toMatchObject({
      token_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'gatehouse_api_key',
    });
    expect(answer.text).not.toContain(secret);
    const metrics = await service.replicas[0]?.metrics();
    expect(metrics).toMatch(/^key_leak_reports_total\{outcome="exposed"\} [1-9]/m);
    await eventually(async () => {
      expect(await errorOf(secret, NOTIFYING)).toBe('VERIFICATION_ERROR_REVOKED');
    }, HINT);
    expect(await undelete(id)).toEqual([409, 'REVOCATION_FINAL']);
    const events = await eventsOf(id);
    expect(events.map(({ event, data }) => [event, data.status])).toEqual([
      ['key.issued', 'KEY_STATUS_ACTIVE'],
      ['key.exposed', 'KEY_STATUS_REVOKED'],
      ['key.revoked', 'KEY_STATUS_REVOKED'],
    ]);
    expect(events[1]?.data).toMatchObject({ url: PLACE, source: 'content', actor_id: 'owner' });
    expect(events[2]?.data).toMatchObject({
      reason: 'REVOCATION_REASON_KEY_COMPROMISE',
      by: 'leak_report',
    });
    const filter = encodeURIComponent(`key_id=${id}`);
    const { body } = await admin('GET', `/auditEvents?filter=${filter}`);
    expect(body.audit_events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'key.exposed', caller: 'github' }),
        expect.objectContaining({ type: 'key.revoked', caller: 'github' }),
      ]),
    );
  });

  it('200: again, in any state of the key: one event for each place, and nothing else', async () => {
    const { id, secret } = await issue();
    const places = [found(secret), found(secret), found(secret, { url: '', source: 'npm' })];
    for (const time of ['first', 'again']) {
      expect([time, ...labels(await reportAll(places))]).toEqual([
        time,
        ...Array<string>(3).fill('true_positive'),
      ]);
    }
    expect(await namesOf(id)).toEqual(['key.issued', 'key.exposed', 'key.exposed', 'key.revoked']);
    const expired = await issue({ ttl: '1s' });
    await eventually(async () => {
      expect(await errorOf(expired.secret)).toBe('VERIFICATION_ERROR_EXPIRED');
    });
    expect(labels(await reportAll([found(expired.secret)]))).toEqual(['true_positive']);
    expect(await namesOf(expired.id)).not.toContain('key.revoked');
  });

  it('200: reports at the same time on two replicas count once', async () => {
    const { id, secret } = await issue();
    const reports = Array.from({ length: 8 }, (_, n) => reportAll([found(secret)], n % 2));
    expect((await Promise.all(reports)).map(({ status }) => status)).toEqual(
      Array<number>(8).fill(200),
    );
    expect((await namesOf(id)).sort()).toEqual(['key.exposed', 'key.issued', 'key.revoked']);
  });

  it('200: at most 100 places of a key are announced', async () => {
    const { id, secret } = await issue();
    const places = Array.from({ length: 130 }, (_, n) => found(secret, { url: `${PLACE}#L${n}` }));
    await reportAll(places.slice(0, 60));
    await reportAll(places);
    expect((await namesOf(id)).filter((name) => name === 'key.exposed')).toHaveLength(100);
  });

  it('200: with LEAK_ACTION=notify the key stays, and later revocations are final', async () => {
    const { id, secret } = await issue();
    await reportAll([found(secret)], NOTIFYING);
    expect(await errorOf(secret)).toBeUndefined();
    await admin('POST', `/apiKeys/${id}:revoke`);
    expect(await undelete(id)).toEqual([409, 'REVOCATION_FINAL']);
    expect(await namesOf(id)).toEqual(['key.issued', 'key.exposed', 'key.revoked']);
  });

  it('200: a revocation that could be taken back becomes final', async () => {
    const { id, secret } = await issue();
    await admin('POST', `/apiKeys/${id}:revoke`);
    await reportAll([found(secret)], NOTIFYING);
    expect(await undelete(id)).toEqual([409, 'REVOCATION_FINAL']);
  });

  it('200: public keys and derived tokens are left alone', async () => {
    const visible = await issue({ visibility: 'KEY_VISIBILITY_PUBLIC' });
    const { secret } = await issue();
    const derived = await admin('POST', '/apiKeys:derive', { credential: secret });
    const answer = await reportAll([found(visible.secret), found(derived.body.token.token)]);
    expect(labels(answer)).toEqual(['false_positive', 'false_positive']);
    expect([await errorOf(visible.secret), await errorOf(secret)]).toEqual([undefined, undefined]);
    expect(await namesOf(visible.id)).toEqual(['key.issued']);
  });

  it('no event has the credential, however the place contains it', async () => {
    const { id, secret } = await issue();
    const other = await issue();
    const escaped = [...secret].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('');
    const odd = `x${String.fromCharCode(0, 0xd800)}y`.repeat(50);
    await reportAll([
      found(secret, { url: `${PLACE}?key=${secret}`, source: other.secret }),
      found(secret, { url: `${PLACE}?key=${escaped}`, source: odd }),
      found(secret, { url: [1], source: null }),
      found(secret, { url: `${PLACE}?${'a'.repeat(1_900)}${secret}`, source: 'cut' }),
    ]);
    const events = (await eventsOf(id)).filter(({ event }) => event === 'key.exposed');
    expect(events.map(({ data }) => data.url)).toEqual([`${PLACE}?key=…`, '', '', '']);
    expect(events.map(({ data }) => String(data.source).slice(0, 4))).toEqual([
      'gate',
      'xyxy',
      '',
      'cut',
    ]);
    const rows = await service.database.query<{ text: string }>(
      'SELECT data::text AS text FROM keys.events UNION ALL SELECT details::text FROM keys.audit_events',
    );
    const text = rows.map((row) => row.text).join();
    for (const part of [secret, other.secret, escaped, secret.slice(0, 40)]) {
      expect(text).not.toContain(part);
    }
  });

  it('401: unsigned, signed by another, or altered', async () => {
    const { secret } = await issue();
    const body = JSON.stringify([found(secret)]);
    const signed = github.headersFor(body);
    const signature = 'github-public-key-signature';
    for (const headers of [
      {},
      { ...signed, [signature]: '' },
      { ...signed, [signature]: 'MEQCIQ' },
      { ...signed, [signature]: otherGithub.headersFor(body)[signature] as string },
      { ...signed, [signature]: 'A'.repeat(96) },
    ]) {
      expect(fault(await sendSigned(body, 0, headers))).toEqual([401, 'LEAK_SIGNATURE_INVALID']);
    }
    const altered = await sendSigned(body.replace('content', 'commit'), 0, signed);
    expect(altered.status).toBe(401);
    expect(await errorOf(secret)).toBeUndefined();
  });

  it('400 for a signed body that is no list of tokens, and 413 and 415', async () => {
    for (const [body, field] of [
      ['{', 'body'],
      ['{}', 'body'],
      ['[]', 'body'],
      [`[${Array(10_001).fill('1').join()}]`, 'body'],
      ['[1]', '[0]'],
      ['[null]', '[0]'],
      ['[{"token":"a"},{"token":1}]', '[1].token'],
      ['[{"type":"a"}]', '[0].token'],
    ] as const) {
      const answer = await sendSigned(body);
      expect([body.slice(0, 30), answer.status]).toEqual([body.slice(0, 30), 400]);
      expect(namedFields(answer)).toContain(field);
    }
    const large = JSON.stringify([found('a'.repeat(4 * 1024 * 1024))]);
    expect((await sendSigned(large)).status).toBe(413);
    const headers = { ...github.headersFor('[]'), 'content-type': 'text/plain' };
    expect((await service.call('POST', PATH, '[]', { headers })).status).toBe(415);
  });

  it('404 unless the keys of GitHub are configured', async () => {
    const closed = await service.start({ SECRET_SCANNING_KEYS_URL: '' });
    const body = JSON.stringify([found('a')]);
    const headers = { ...github.headersFor(body), 'content-type': 'application/json' };
    const answer = await closed.http.send('POST', PATH, { headers, body });
    expect(fault(answer)).toEqual([404, 'LEAK_REPORTS_CLOSED']);
  });
});

describe('a report of an administrator', () => {
  const report = (requests: object[], headers = asAdmin.headers) =>
    service.admin('POST', '/apiKeys:reportLeaks', { requests }, { headers });

  it('200: says what each credential is, and revokes imported keys as well', async () => {
    const { id, secret } = await issue();
    const raw = 'imported-and-leaked-somewhere';
    const imported = { raw_key: raw, name: 'Raw', actor_id: 'raw' };
    const { key_id: rawId } = (await admin('POST', '/importedApiKeys', imported)).body;
    const visible = await issue({ visibility: 'KEY_VISIBILITY_PUBLIC' });
    const answer = await report([
      { credential: secret, url: PLACE },
      { credential: raw },
      { credential: visible.secret },
      { credential: 'nothing of ours' },
    ]);
    const revoked = { is_exposed: true, status: 'KEY_STATUS_REVOKED' };
    expect(answer.body.results).toEqual([
      { ...revoked, key_id: id },
      { ...revoked, key_id: rawId },
      { is_exposed: false, key_id: visible.id, status: 'KEY_STATUS_ACTIVE' },
      { is_exposed: false, key_id: '', status: 'KEY_STATUS_UNSPECIFIED' },
    ]);
    expect(await errorOf(raw)).toBe('VERIFICATION_ERROR_REVOKED');
  });

  it('400 names the field; 403 without keys:report, which opens nothing else', async () => {
    const bad = await report([{ credential: '' }, { credential: 'a' }]);
    expect([bad.status, namedFields(bad)]).toEqual([400, ['requests[0].credential']]);
    expect((await report([])).status).toBe(400);
    expect((await report(Array<object>(101).fill({ credential: 'a' }))).status).toBe(400);
    const scanner = bearer((await issue({ scopes: ['keys:report'] })).secret);
    const revoker = bearer((await issue({ scopes: ['keys:revoke'] })).secret);
    const { id } = await issue();
    expect((await report([{ credential: 'a' }], scanner)).status).toBe(200);
    expect((await report([{ credential: 'a' }], revoker)).status).toBe(403);
    const revoke = await service.admin('POST', `/apiKeys/${id}:revoke`, {}, { headers: scanner });
    expect(revoke.status).toBe(403);
  });

  it('200: the pattern finds the secrets of this service', async () => {
    const { body } = await admin('GET', '/apiKeys:leakPattern');
    const { secret } = await issue();
    const pattern = new RegExp(body.pattern as string, 'g');
    expect(`key="${secret}"`.match(pattern)).toEqual([secret]);
    expect(body.prefixes).toEqual(['gate_sk']);
  });
});
