/** Credits over HTTP. */
import { eventually } from '@gatehouse/testing';
import { type KeyServiceStack, namedFields, reasonOf, startKeyService } from './key-stack.js';

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService({}, 2);
});
afterAll(() => service.close());

const NEW = { name: 'x', actor_id: 'x' };
const EXHAUSTED = 'VERIFICATION_ERROR_CREDITS_EXHAUSTED';
const remaining = async (secret: string, more = {}) => {
  const { body } = await service.verify(secret, more);
  return [body.is_valid, body.credits?.remaining] as unknown;
};
const change = (keyId: unknown, verb: string, body: object = {}) =>
  service.admin('POST', `/apiKeys/${String(keyId)}:${verb}`, body);
const creditsOf = async (keyId: unknown) =>
  (await service.admin('GET', `/issuedApiKeys/${String(keyId)}`)).body.credits as unknown;

describe('credits of a key', () => {
  it('are spent by verifications, by their cost, and shown by the key', async () => {
    const { secret, key } = await service.issue({ credits: { remaining: 10, strict: true } });
    expect(key.credits).toEqual({ remaining: '10', refill: null, strict: true });
    expect(await remaining(secret)).toEqual([true, '9']);
    expect(await remaining(secret, { credits: { cost: 5 } })).toEqual([true, '4']);
    expect(await remaining(secret, { credits: { cost: 5 } })).toEqual([false, '4']);
    expect(await remaining(secret, { peek: true })).toEqual([true, '4']);
    expect(await remaining(secret, { credits: { cost: 0 } })).toEqual([true, '4']);
    const requests = Array.from({ length: 6 }, () => ({ credential: secret }));
    const { body } = await service.admin('POST', '/apiKeys:batchVerify', { requests });
    const results = body.results as { is_valid: boolean; error_code?: string }[];
    expect(results.filter(({ is_valid }) => is_valid)).toHaveLength(4);
    expect(results.at(-1)).toMatchObject({ error_code: EXHAUSTED, credits: { refill_time: null } });
    expect(await creditsOf(key.key_id)).toMatchObject({ remaining: '0' });
  });

  it('that are used up answer 429 to gateways, with the time of the refill', async () => {
    const at = new Date(Date.now() + 600_000).toISOString();
    const refill = { amount: '100', interval: '30d', at };
    const { secret, key } = await service.issue({ credits: { remaining: '1', refill } });
    expect(key.credits.refill).toEqual({ amount: '100', interval: '2592000s', at });
    await service.verify(secret);
    const over = await service.verify(secret);
    expect(over.body).toMatchObject({
      is_valid: false,
      error_code: EXHAUSTED,
      status: 'KEY_STATUS_ACTIVE',
      credits: { remaining: '0', refill_time: at },
    });
    const gateway = await service.admin('GET', '/apiKeys:authorize', undefined, {
      headers: { 'x-api-key': secret },
    });
    expect([gateway.status, reasonOf(gateway)]).toEqual([429, 'CREDENTIAL_CREDITS_EXHAUSTED']);
    for (const { headers } of [over, gateway]) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(590);
    }
  });

  it('are not taken by a verification that a limit refuses', async () => {
    const { secret, key } = await service.issue({
      credits: { remaining: 10, strict: true },
      rate_limit_policy: { quota: 2, window: '1h' },
    });
    for (let time = 0; time < 5; time += 1) await service.verify(secret);
    expect(await creditsOf(key.key_id)).toMatchObject({ remaining: '8' });
  });

  it('are shared with the key that replaces it, and belong to tokens too', async () => {
    const { secret, key } = await service.issue({ credits: { remaining: 10, strict: true } });
    const path = `/issuedApiKeys/${key.key_id}:rotate`;
    const { body } = await service.admin('POST', path, { grace_period: '1h' });
    expect(body.issued_api_key.credits).toMatchObject({ remaining: '10' });
    expect(await remaining(secret)).toEqual([true, '9']);
    expect(await remaining(body.secret as string)).toEqual([true, '8']);
    expect(await remaining(await service.tokenOf(secret))).toEqual([true, '7']);
    // A balance that the replaced key gets later is its own.
    await change(key.key_id, 'removeCredits');
    await change(key.key_id, 'setCredits', { remaining: 2 });
    expect(await creditsOf(body.issued_api_key.key_id)).toMatchObject({ remaining: '7' });
  });

  it('are added, set and removed, on all replicas; a repeated addition counts once', async () => {
    const { secret, key } = await service.issue();
    const { key_id: id } = key;
    expect(reasonOf(await change(id, 'addCredits', { amount: 5 }))).toBe('API_KEY_WITHOUT_CREDITS');
    await service.verify(secret, {}, { replica: 1 });
    const set = await change(id, 'setCredits', { remaining: 0, strict: true });
    expect(set.body).toEqual({
      key_id: id,
      credits: { remaining: '0', refill: null, strict: true },
    });
    await eventually(async () => {
      const { body } = await service.verify(secret, {}, { replica: 1 });
      expect(body.error_code).toBe(EXHAUSTED);
    });
    for (const request_id of ['order-1', 'order-1', 'order-2', undefined]) {
      expect((await change(id, 'addCredits', { amount: '5', request_id })).status).toBe(200);
    }
    expect(await remaining(secret)).toEqual([true, '14']);
    // A whole record can be sent back without a change of the balance.
    const record = (await service.admin('GET', `/issuedApiKeys/${id}`)).body as object;
    await service.verify(secret);
    await service.admin('PATCH', `/issuedApiKeys/${id}`, record);
    expect(await creditsOf(id)).toMatchObject({ remaining: '13' });
    const full = await change(id, 'addCredits', { amount: '1000000000000000' });
    expect([full.status, reasonOf(full)]).toEqual([409, 'CREDITS_LIMIT_REACHED']);
    expect((await change(id, 'removeCredits')).body).toEqual({ key_id: id, credits: null });
    await eventually(async () => expect(await remaining(secret)).toEqual([true, undefined]));
  });

  it('that are added can be spent at once, also just after a refusal', async () => {
    const { secret, key } = await service.issue({ credits: { remaining: 0 } });
    for (let time = 0; time < 5; time += 1) {
      expect((await service.verify(secret)).body.error_code).toBe(EXHAUSTED);
      await change(key.key_id, 'addCredits', { amount: 1 });
      expect(await remaining(secret)).toEqual([true, '0']);
    }
  });

  it('of an imported key end with it', async () => {
    const fields = { raw_key: 'credits-raw-key-1', ...NEW, credits: { remaining: 3 } };
    const { body } = await service.admin('POST', '/importedApiKeys', fields);
    expect(body.credits).toMatchObject({ remaining: '3' });
    await service.admin('DELETE', `/importedApiKeys/${body.key_id}`);
    const rows = await service.database.query('SELECT FROM keys.credits WHERE account_id = $1', [
      body.key_id,
    ]);
    expect(rows).toEqual([]);
  });

  it('404: there is no such key', async () => {
    for (const verb of ['addCredits', 'setCredits', 'removeCredits']) {
      const answer = await change('01983f6e-7c10-7000-8000-2f6d1c7a9b01', verb, {
        ...(verb === 'addCredits' && { amount: 1 }),
        ...(verb === 'setCredits' && { remaining: 1 }),
      });
      expect(answer.status).toBe(404);
    }
  });

  it.each([
    ['credits', 5],
    ['credits.remaining', {}],
    ['credits.remaining', { remaining: -1 }],
    ['credits.remaining', { remaining: '1000000000000001' }],
    ['credits.remaining', { remaining: 0.5 }],
    ['credits.refill.amount', { remaining: 1, refill: { interval: '1d' } }],
    ['credits.refill.interval', { refill: { amount: 1 } }],
    ['credits.refill.interval', { refill: { amount: 1, interval: '59s' } }],
    ['credits.refill.interval', { refill: { amount: 1, interval: '367d' } }],
    ['credits.refill.at', { refill: { amount: 1, interval: '1d', at: 'tomorrow' } }],
    ['credits.refill.at', { refill: { amount: 1, interval: '1d', at: '2999-01-01T00:00:00Z' } }],
    ['credits.strict', { remaining: 1, strict: 1 }],
    ['credits.reamining', { remaining: 1, reamining: 1 }],
  ])('400: %s', async (field, credits) => {
    const answer = await service.admin('POST', '/issuedApiKeys', { ...NEW, credits });
    expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
  });

  it.each([
    ['amount', 'addCredits', {}],
    ['amount', 'addCredits', { amount: 0 }],
    ['request_id', 'addCredits', { amount: 1, request_id: 'x'.repeat(37) }],
    ['remaining', 'setCredits', {}],
  ])('400: %s of %s', async (field, verb, body) => {
    const { key } = await service.issue();
    const answer = await change(key.key_id, verb, body);
    expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
  });
});
