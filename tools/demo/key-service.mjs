// @ts-check
import assert from 'node:assert/strict';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { send, until } from './http.mjs';
import { startKeyServiceReplica } from './replica.mjs';

const SCOPES = ['orders:read', 'orders:write'];

/**
 * Issue, verify, derive a JWT that others can check offline, revoke everywhere.
 *
 * @param {import('./story.mjs').Story} story
 * @param {import('../local-stack/state.mjs').StackRecord} stack
 */
export async function showKeyService(story, stack) {
  const direct = stack.services['key-service']?.url ?? '';
  const { adminApiKey } = stack.credentials;
  // Without admin keys the service is in protected mode: it serves its admin surface to callers
  // on this machine that come without a proxy.
  const publicUrl = stack.services.gateway?.url ?? direct;
  const adminUrl = adminApiKey === null ? direct : publicUrl;
  /** @type {Record<string, string>} */
  const headers = adminApiKey === null ? {} : { Authorization: `Bearer ${adminApiKey}` };
  /**
   * @param {string} path
   * @param {object} json
   * @param {{ at?: string, expect?: number, headers?: Record<string, string> }} [options]
   */
  const admin = (path, json, { at = adminUrl, expect = 200, headers: more = {} } = {}) =>
    send('POST', `${at}/v2alpha1/admin/${path}`, {
      headers: { ...headers, ...more },
      json,
      expect,
    });
  const verifyPath = 'apiKeys:verify';

  story.part('1. Key service', `API keys for programs, at ${adminUrl}`);

  const { key, secret } = await story.step('Issue a key for alice, for one hour', async (tell) => {
    const { body, headers: answered } = await admin(
      'issuedApiKeys',
      {
        name: 'Demo key',
        actor_id: 'alice',
        scopes: SCOPES,
        ttl: '1h',
        metadata: { plan: 'trial' },
      },
      { expect: 201 },
    );
    assert.match(answered.get('location') ?? '', new RegExp(`${body.issued_api_key.key_id}$`));
    assert.deepEqual(body.issued_api_key.scopes, SCOPES);
    tell(
      `secret ${mask(body.secret)}, told this once and stored as a hash`,
      `listed as ${body.issued_api_key.key_preview}, key_id ${body.issued_api_key.key_id}`,
    );
    return { key: body.issued_api_key, secret: body.secret };
  });

  await story.step('Verify it for the first time: read from PostgreSQL', async (tell) => {
    const { body, headers: answered } = await admin(verifyPath, { credential: secret });
    assert.equal(body.is_valid, true);
    assert.equal(body.actor_id, 'alice');
    assert.deepEqual(body.metadata, { plan: 'trial' });
    assert.equal(answered.get('x-cache'), 'MISS');
    tell(`valid, alice, ${body.scopes.join(' ')}; X-Cache: MISS`);
  });

  await story.step('Verify it again: from the cache', async (tell) => {
    const { body, headers: answered } = await admin(verifyPath, { credential: secret });
    assert.equal(body.is_valid, true);
    assert.equal(answered.get('x-cache'), 'HIT');
    tell('valid; X-Cache: HIT');
  });

  await story.step(
    'Change one character of it: refused without a look at any store',
    async (tell) => {
      const { body } = await admin(verifyPath, { credential: changeLast(secret) });
      assert.equal(body.is_valid, false);
      tell(`not valid: ${body.error_code}`);
    },
  );

  const token = await story.step('Derive a JWT of it, narrowed to orders:read', async (tell) => {
    const { body } = await admin('apiKeys:derive', {
      credential: secret,
      algorithm: 'TOKEN_ALGORITHM_JWT',
      ttl: '5m',
      scopes: ['orders:read'],
      custom_claims: { region: 'eu' },
    });
    const { alg, kid } = decodeProtectedHeader(body.token.token);
    tell(`${mask(body.token.token)} (${alg}, key ${kid}), until ${body.token.expire_time}`);
    return body.token.token;
  });

  await story.step('Check that JWT with jose against the published JWKS, offline', async (tell) => {
    const jwks = createRemoteJWKSet(new URL(`${publicUrl}/v2alpha1/derivedKeys/jwks.json`));
    const { payload } = await jwtVerify(token, jwks);
    assert.equal(payload.sub, key.key_id);
    assert.equal(payload['act'], 'alice');
    assert.equal(payload['region'], 'eu');
    assert.deepEqual([payload['scp']].flat(), ['orders:read']);
    await assert.rejects(jwtVerify(changeLast(token, 10), jwks), /signature verification failed/);
    tell(
      'signature good, sub = the key, act = alice, scp = orders:read',
      'changed by a byte: refused',
    );
  });

  const replica = await story.step('Start a second replica of the key service', async (tell) => {
    const started = await startKeyServiceReplica(stack);
    tell(`at ${started.url}, on the same database`);
    return started;
  });
  try {
    const replicas = [direct, replica.url];
    await story.step('Both replicas have the key in their cache', async () => {
      for (const at of replicas) {
        await admin(verifyPath, { credential: secret }, { at });
        const { body, headers: answered } = await admin(verifyPath, { credential: secret }, { at });
        assert.equal(body.is_valid, true);
        assert.equal(answered.get('x-cache'), 'HIT');
      }
    });
    await story.step('Revoke the key at one of them; the other hears of it', async (tell) => {
      const path = `issuedApiKeys/${key.key_id}:revoke`;
      await admin(
        path,
        { reason: 'REVOCATION_REASON_KEY_COMPROMISE' },
        { at: direct, expect: 204 },
      );
      const revokedAt = performance.now();
      for (const at of replicas) {
        const refusal = await until(
          async () => {
            const { body } = await admin(verifyPath, { credential: secret }, { at });
            return body.is_valid ? undefined : body;
          },
          { what: `the refusal by ${at}`, timeoutMs: 4_000 },
        );
        assert.equal(refusal.error_code, 'VERIFICATION_ERROR_REVOKED');
        tell(
          `${at} refuses it: ${refusal.error_code}, ${(performance.now() - revokedAt).toFixed(0)} ms later`,
        );
      }
    });
    await story.step('The JWT derived of it is refused too', async (tell) => {
      for (const at of replicas) {
        const { body } = await admin(verifyPath, { credential: token }, { at });
        assert.equal(body.is_valid, false);
      }
      tell(
        'at both replicas; who checks offline sees it until it ends, five minutes after its making',
      );
    });
  } finally {
    await replica.stop();
  }
  await story.step('Revoke it once more: there is nothing left to revoke', async (tell) => {
    const path = `apiKeys/${key.key_id}:revoke`;
    const { body } = await admin(path, { reason: 'REVOCATION_REASON_SUPERSEDED' }, { expect: 409 });
    tell(`409 ${body.error.status}: ${body.error.message}`);
  });
}

/**
 * Shows that there is a credential without showing it.
 *
 * @param {string} credential
 */
function mask(credential) {
  return `${credential.slice(0, 12)}…${credential.slice(-4)}`;
}

/**
 * @param {string} text
 * @param {number} [fromEnd]
 */
function changeLast(text, fromEnd = 1) {
  const at = text.length - fromEnd;
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}
