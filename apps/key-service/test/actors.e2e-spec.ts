/** One view of a person: everything that belongs to an actor, and why its keys are in their state. */
import { decodeJwt } from 'jose';
import { SERIES, USAGE_LEVELS } from '../src/store/usage/usage.types.js';
import { outcomeNumber } from '../src/verification/usage/usage-row.js';
import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService({ EXTERNAL_URL: 'https://keys.example.com' });
});
afterAll(() => service.close());

const actor = (id: string) => service.admin('GET', `/actors/${encodeURIComponent(id)}`);
/** As at a gateway, which refuses the paths of some ids. */
const found = (id: string) => service.admin('GET', `/actors?actor_id=${encodeURIComponent(id)}`);
const viewOf = async (id: string) => {
  const { status, body } = await actor(id);
  expect(status).toBe(200);
  return body;
};
const NOTHING = {
  issued_api_keys: [],
  next_issued_page_token: '',
  imported_api_keys: [],
  next_imported_page_token: '',
  trust_rules: [],
  next_trust_page_token: '',
  tokens: [],
  usage: { last_24_hours: {}, last_30_days: {} },
  portal_sessions: [],
  people: [],
};

describe('GET /v2alpha1/admin/actors/{actor_id}', () => {
  it('200: an unknown actor has nothing', async () => {
    expect(await viewOf('unknown-actor')).toEqual({ actor_id: 'unknown-actor', ...NOTHING });
  });

  it.each(['user:1', 'a/b', '50% of @all?x=1#y', 'Ünï cödé', '..a', '+1 (555)', 'x'.repeat(255)])(
    '200: the actor %j, with its keys and those of no other',
    async (actor_id) => {
      const { key } = await service.issue({ actor_id });
      await service.issue({ actor_id: 'other' });
      const view = await viewOf(actor_id);
      expect(view.actor_id).toBe(actor_id);
      expect((await found(actor_id)).body).toEqual(view);
      expect(view.issued_api_keys).toEqual([{ ...key, state_reason: null }]);
    },
  );

  it('400: an id that no actor can have', async () => {
    const answers = ['nul\0', 'x'.repeat(256)].flatMap((id) => [actor(id), found(id)]);
    for (const answer of await Promise.all([...answers, service.admin('GET', '/actors')])) {
      expect([answer.status, namedFields(answer)]).toEqual([400, ['actor_id']]);
    }
  });

  it('200: why each key is in its state, with the caller', async () => {
    const actor_id = 'states';
    const issue = (fields: object = {}) => service.issue({ actor_id, ...fields });
    const keyOf = async (id: string) => {
      const { issued_api_keys: keys } = await viewOf(actor_id);
      return keys.find(({ key_id: each }: { key_id: string }) => each === id);
    };
    const post = (path: string, body: object = {}) => service.admin('POST', path, body);

    const paused = await issue();
    await post(`/apiKeys/${paused.key.key_id}:pause`);
    await post(`/apiKeys/${paused.key.key_id}:resume`);
    expect((await keyOf(paused.key.key_id)).state_reason).toBeNull();
    await post(`/apiKeys/${paused.key.key_id}:pause`);
    const revoked = await issue();
    await post(`/apiKeys/${revoked.key.key_id}:pause`);
    await post(`/apiKeys/${revoked.key.key_id}:revoke`);
    const given = await issue();
    await service.call('POST', '/v2alpha1/apiKeys:selfRevoke', { credential: given.secret });
    const leaked = await issue();
    await post('/apiKeys:reportLeaks', { requests: [{ credential: leaked.secret }] });
    const rotated = await issue();
    const { body } = await post(`/issuedApiKeys/${rotated.key.key_id}:rotate`);
    const expired = await issue({ ttl: '1s' });
    await service.untilExpired(expired.secret);

    const audit = await service.admin('GET', `/auditEvents?filter=actor_id=${actor_id}`);
    const [{ caller }] = audit.body.audit_events.filter(
      ({ type }: { type: string }) => type === 'key.paused',
    );
    const because = (cause: string, by: string) => ({
      cause,
      caller: by,
      time: expect.any(String),
    });
    for (const [{ key }, status, reason] of [
      [paused, 'PAUSED', because('administrator', caller)],
      [revoked, 'REVOKED', because('administrator', caller)],
      [given, 'REVOKED', because('holder', 'holder')],
      [leaked, 'REVOKED', because('leak_report', caller)],
      [rotated, 'REVOKED', because('rotation', '')],
      [{ key: body.issued_api_key }, 'ACTIVE', null],
      [expired, 'EXPIRED', because('expiry', '')],
    ] as const) {
      const { status: found, state_reason } = await keyOf(key.key_id);
      expect([found, state_reason]).toEqual([`KEY_STATUS_${status}`, reason]);
    }
    const { expire_time, state_reason } = await keyOf(expired.key.key_id);
    expect(state_reason.time).toBe(expire_time);
  });

  it('200: imported keys, trust rules, tokens, and the portal sessions that work', async () => {
    const actor_id = 'everything';
    const { secret, key } = await service.issue({ actor_id });
    const imported = await service.admin('POST', '/importedApiKeys', {
      name: 'x',
      actor_id,
      raw_key: 'imported-of-everything',
    });
    await service.admin('POST', `/apiKeys/${imported.body.key_id}:pause`);
    const rule = await service.admin('POST', '/trustRules', {
      name: 'x',
      actor_id,
      scopes: [],
      issuer: 'https://issuer.example.com',
      audience: 'https://keys.example.com',
      subject_pattern: 'repo:x',
    });
    await service.admin('POST', `/trustRules/${rule.body.key_id}:revoke`);
    const jwt = await service.tokenOf(secret, { ttl: '5m' });
    await service.tokenOf(secret, { algorithm: 'TOKEN_ALGORITHM_MACAROON' });
    const open = async () =>
      (await service.admin('POST', '/portalSessions', { actor_id })).body.portal_session;
    const [first, second] = [await open(), await open()];
    await service.admin('POST', `/portalSessions/${second.session_id}:revoke`);

    const view = await viewOf(actor_id);
    expect(view.issued_api_keys).toMatchObject([{ key_id: key.key_id }]);
    expect(view.imported_api_keys).toMatchObject([
      { key_id: imported.body.key_id, state_reason: { cause: 'administrator' } },
    ]);
    expect(view.trust_rules).toMatchObject([
      {
        key_id: rule.body.key_id,
        subject_pattern: 'repo:x',
        status: 'KEY_STATUS_REVOKED',
        state_reason: { cause: 'administrator' },
      },
    ]);
    expect(view.tokens).toMatchObject([
      { algorithm: 'TOKEN_ALGORITHM_MACAROON', key_id: key.key_id },
      { algorithm: 'TOKEN_ALGORITHM_JWT', key_id: key.key_id, token_id: decodeJwt(jwt).jti },
    ]);
    const lifeMs = Date.parse(view.tokens[1].expire_time) - Date.parse(view.tokens[1].create_time);
    expect(Math.round(lifeMs / 10_000)).toBe(30);
    expect(view.portal_sessions).toEqual([first]);
    expect(JSON.stringify(view)).not.toContain(jwt.slice(-20));
  });

  it('200: the usage of the last 24 hours and of 30 days, by outcome', async () => {
    const actor_id = 'user of everything';
    const hour = "date_trunc('hour', now())";
    const day = "date_trunc('day', now(), 'UTC')";
    // As they are summed up; the sums of the current hour and day may be minutes old.
    await service.database.query(
      `INSERT INTO keys.usage
         (level, series, at, subject, tag, outcome, limit_name, actor_id, count, cost)
       SELECT level, ${SERIES.actor}, at, subject, '', outcome, limit_name, '', count, count
       FROM (VALUES
         (${USAGE_LEVELS.hour}, ${hour}, $1, 0, '', 4),
         (${USAGE_LEVELS.hour}, ${hour} - interval '23 hours', $1, 0, '', 3),
         (${USAGE_LEVELS.hour}, ${hour} - interval '24 hours', $1, 0, '', 100),
         (${USAGE_LEVELS.hour}, ${hour}, $1, ${outcomeNumber('VERIFICATION_ERROR_RATE_LIMITED')}, 'a', 2),
         (${USAGE_LEVELS.hour}, ${hour}, $1, ${outcomeNumber('VERIFICATION_ERROR_RATE_LIMITED')}, 'b', 1),
         (${USAGE_LEVELS.hour}, ${hour}, 'another', 0, '', 100),
         (${USAGE_LEVELS.day}, ${day}, $1, 0, '', 40)
       ) AS sums (level, at, subject, outcome, limit_name, count)`,
      [actor_id],
    );
    expect((await viewOf(actor_id)).usage).toEqual({
      last_24_hours: { valid: '7', rate_limited: '3' },
      last_30_days: { valid: '40' },
    });
  });

  it('200: the newest 100 keys of a kind, and how the list goes on', async () => {
    const actor_id = 'many';
    for (let n = 0; n < 101; n += 1) await service.issue({ actor_id, name: `k${n}` });
    const { issued_api_keys: keys, next_issued_page_token: page_token } = await viewOf(actor_id);
    expect(keys).toHaveLength(100);
    expect(keys[0].name).toBe('k100');
    const rest = new URLSearchParams({ filter: `actor_id=${actor_id}`, page_token });
    const { body } = await service.admin('GET', `/issuedApiKeys?${rest.toString()}`);
    expect(body.issued_api_keys).toMatchObject([{ name: 'k0' }]);
  });
});
