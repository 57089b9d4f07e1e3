import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/testing';
import { send } from './http.js';
import { PageSession } from './page-session.js';
import { type Story } from './story.js';

interface Issued {
  issued_api_key: { key_id: string };
  secret: string;
}
interface Verification {
  is_valid: boolean;
  error_code: string;
  credits?: { remaining: string };
  rate_limits?: { remaining: string; retry_after?: string }[];
}
interface Usage {
  usage: { outcome: string; count: string }[];
}

const EXPORTS = { name: 'exports', quota: '2', window: '1h', strict: true };
/** Usage is written every five seconds. */
const USAGE_LIMIT_MS = 12_000;

/**
 * The terms of a customer's key: limits, credits, a pause, portal pages, help after a leak, and usage.
 *
 * @param admin address of the admin API, with its version
 */
export async function showKeyTerms(
  story: Story,
  admin: string,
  headers: Record<string, string>,
): Promise<void> {
  const actor = `carol-${Date.now().toString(36)}`;
  const post = async <Body>(path: string, json: object = {}, expect: number | number[] = 200) =>
    (await send<Body>('POST', `${admin}/${path}`, { headers, json, expect })).body;
  const verify = (credential: string, more: object = {}) =>
    post<Verification>('apiKeys:verify', { credential, ...more });

  const { keyId, secret } = await story.step(
    'Issue a key to carol: two exports an hour, ten credits',
    async () => {
      const issued = await post<Issued>(
        'issuedApiKeys',
        {
          name: 'Demo key',
          actor_id: actor,
          ttl: '1h',
          tags: ['demo'],
          rate_limits: [EXPORTS],
          credits: { remaining: '10' },
        },
        201,
      );
      return { keyId: issued.issued_api_key.key_id, secret: issued.secret };
    },
  );

  await story.step('Her third export in this hour is refused', async (note) => {
    for (const remaining of ['1', '0']) {
      const { is_valid: isValid, rate_limits: limits } = await verify(secret);
      assert.deepEqual([isValid, limits?.[0]?.remaining], [true, remaining]);
    }
    const refused = await verify(secret);
    assert.equal(refused.error_code, 'VERIFICATION_ERROR_RATE_LIMITED');
    note(`${refused.error_code}, possible again in ${refused.rate_limits?.[0]?.retry_after}`);
  });

  await story.step('Other requests cost credits, until she has none', async (note) => {
    const limits = [{ name: EXPORTS.name, cost: 0 }];
    const spent = await verify(secret, { limits, credits: { cost: 8 } });
    assert.deepEqual([spent.is_valid, spent.credits?.remaining], [true, '0']);
    const refused = await verify(secret, { limits });
    assert.equal(refused.error_code, 'VERIFICATION_ERROR_CREDITS_EXHAUSTED');
    await post(`apiKeys/${keyId}:addCredits`, { amount: '100', request_id: 'an-invoice' });
    await post(`apiKeys/${keyId}:addCredits`, { amount: '100', request_id: 'an-invoice' });
    const peeked = await verify(secret, { limits, peek: true });
    assert.equal(peeked.credits?.remaining, '100');
    note(`${refused.error_code}; after she has paid: 100, also if that is sent twice`);
  });

  await story.step('Pause the key while her invoice is open, and resume it', async (note) => {
    const limits = [{ name: EXPORTS.name, cost: 0 }];
    const seen = async (change: string, isValid: boolean) => {
      await post(`apiKeys/${keyId}:${change}`);
      return eventually(async () => {
        const result = await verify(secret, { limits });
        assert.equal(result.is_valid, isValid);
        return result;
      });
    };
    const paused = await seen('pause', false);
    assert.equal(paused.error_code, 'VERIFICATION_ERROR_PAUSED');
    await seen('resume', true);
    note(`${paused.error_code}, then valid again`);
  });

  const ownSecret = await story.step('Carol makes a key herself, on pages', async (note) => {
    const session = { actor_id: actor, scopes: ['orders:read'], key_ttl: '1h', language: 'en' };
    const { url } = await post<{ url: string }>('portalSessions', session, 201);
    const pages = await PageSession.open(url);
    const { text } = await pages.submit('/keys/new', { name: 'On my laptop', scope: '0' });
    const [, shown = ''] = /<code class="copied"[^>]*>([^<]+)</.exec(text) ?? [];
    assert.equal((await verify(shown)).is_valid, true);
    assert.match((await pages.get('/keys')).text, /On my laptop/);
    note(`at ${new URL(url).origin}/portal/…, an address that opens once`);
    return shown;
  });

  await story.step('She pushes it to a public repository: a report', async (note) => {
    const report = {
      credential: ownSecret,
      url: 'https://git.example.com/carol/app/blob/main/env',
    };
    const { results } = await post<{ results: { is_exposed: boolean; status: string }[] }>(
      'apiKeys:reportLeaks',
      { requests: [report] },
    );
    assert.equal(results[0]?.is_exposed, true);
    note(`${results[0].status}, and key.exposed for webhooks`);
  });

  await story.step('The usage of her keys, by outcome', async (note) => {
    const filter = encodeURIComponent(`actor_id="${actor}"`);
    const url = `${admin}/usage?interval=minute&group_by=outcome&filter=${filter}`;
    const counts = await eventually(
      async () => {
        const { body } = await send<Usage>('GET', url, { headers });
        const sums = new Map<string, number>();
        for (const { outcome, count } of body.usage) {
          sums.set(outcome, (sums.get(outcome) ?? 0) + Number(count));
        }
        for (const outcome of ['valid', 'rate_limited', 'credits_exhausted', 'paused']) {
          assert.ok(sums.has(outcome), `no usage with the outcome ${outcome}`);
        }
        return sums;
      },
      { timeoutMs: USAGE_LIMIT_MS },
    );
    note([...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', '));
  });

  await post(`apiKeys/${keyId}:revoke`, { reason: 'REVOCATION_REASON_SUPERSEDED' }, [200, 204]);
}
