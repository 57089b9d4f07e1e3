import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  decodeWebhookSecret,
  paddedWebhookSecret,
  generateWebhookSecret,
  signPolisWebhook,
  signStandardWebhook,
  verifyStandardWebhook,
  webhookKeys,
} from './index.js';

const now = () => Math.floor(Date.now() / 1000);

describe('Standard Webhooks signatures', () => {
  it('are accepted by the public library, for any id and body', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);
    fc.assert(
      fc.property(id, fc.json(), (webhookId, body) => {
        const secret = generateWebhookSecret();
        const headers = signStandardWebhook({
          id: webhookId,
          timestampSeconds: now(),
          body,
          keys: [webhookKeys(secret)],
        });
        expect(new Webhook(secret).verify(body, { ...headers })).toEqual(JSON.parse(body));
      }),
      { numRuns: 50 },
    );
  });

  it('accept what the public library signs', () => {
    const secret = generateWebhookSecret();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(now()),
      'webhook-signature': new Webhook(secret).sign('msg_1', new Date(now() * 1000), '{}'),
    };
    expect(verifyStandardWebhook({ headers, body: '{}', secrets: [secret] })).toBe(true);
    expect(verifyStandardWebhook({ headers, body: '{ }', secrets: [secret] })).toBe(false);
  });

  it('are sent for both secrets while one replaces the other', () => {
    const [fresh, old] = [generateWebhookSecret(), generateWebhookSecret()];
    const signed = signStandardWebhook({
      id: 'm',
      timestampSeconds: now(),
      body: '{}',
      keys: [fresh, old].map(webhookKeys),
    });
    for (const secret of [fresh, old]) {
      expect(new Webhook(secret).verify('{}', { ...signed })).toEqual({});
      expect(verifyStandardWebhook({ headers: { ...signed }, body: '{}', secrets: [secret] })).toBe(
        true,
      );
    }
  });

  it('sign bytes and text alike', () => {
    const message = { id: 'm', timestampSeconds: 1, keys: [webhookKeys('plain-secret')] };
    expect(signStandardWebhook({ ...message, body: '"é"' })).toEqual(
      signStandardWebhook({ ...message, body: Buffer.from('"é"') }),
    );
  });

  it('are refused when they are too old, too new or incomplete', () => {
    const secrets = [generateWebhookSecret()];
    const keys = secrets.map(webhookKeys);
    const signed = signStandardWebhook({ id: 'm', timestampSeconds: 1000, body: '{}', keys });
    const check = (nowSeconds: number, headers: Record<string, string> = { ...signed }) =>
      verifyStandardWebhook({ headers, body: '{}', secrets, nowSeconds });
    expect([check(1000), check(1300), check(1301), check(699)]).toEqual([true, true, false, false]);
    expect(check(1000, { ...signed, 'webhook-timestamp': '1e3' })).toBe(false);
    expect(check(1000, { ...signed, 'webhook-signature': 'v1,' })).toBe(false);
    expect(check(1000, {})).toBe(false);
  });
});

describe('webhook secrets', () => {
  it('are Base64 after whsec_ and their own bytes otherwise', () => {
    expect(decodeWebhookSecret('whsec_AAEC').toString('hex')).toBe('000102');
    expect(decodeWebhookSecret('plain').toString()).toBe('plain');
    expect(decodeWebhookSecret('with a blank').toString()).toBe('with a blank');
  });

  it('are padded after whsec_, and unchanged otherwise', () => {
    for (const [given, padded] of [
      ['whsec_AAECAw', 'whsec_AAECAw=='],
      ['whsec_AAECAwQ', 'whsec_AAECAwQ='],
      ['whsec_AAEC', 'whsec_AAEC'],
      ['whsec_AAECAw==', 'whsec_AAECAw=='],
      ['AAECAw', 'AAECAw'],
    ] as const) {
      expect(paddedWebhookSecret(given)).toBe(padded);
      expect(decodeWebhookSecret(padded)).toEqual(decodeWebhookSecret(given));
    }
  });

  it.each(['', 'whsec_', 'whsec_*', 'whsec_A', 'ünïcode', 'line\nbreak'])('refuse %j', (secret) => {
    expect(() => decodeWebhookSecret(secret)).toThrow(
      expect.objectContaining({ code: 'WEBHOOK_SECRET_INVALID' }),
    );
  });
});

describe('the header of Polis and BoxyHQ', () => {
  it('is t and the hexadecimal HMAC over t, a dot and the body, keyed with the whole text', () => {
    const hex = (secret: string) =>
      createHmac('sha256', secret).update('1700000000123.{}').digest('hex');
    expect(
      signPolisWebhook({
        timestampMs: 1_700_000_000_123,
        body: '{}',
        keys: [webhookKeys('whsec_AAEC')],
      }),
    ).toBe(`t=1700000000123,s=${hex('whsec_AAEC')}`);
    expect(
      signPolisWebhook({
        timestampMs: 1_700_000_000_123,
        body: '{}',
        keys: ['new', 'old'].map(webhookKeys),
      }),
    ).toBe(`t=1700000000123,s=${hex('new')},s=${hex('old')}`);
  });
});
