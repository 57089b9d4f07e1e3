import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/testing';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { type JsonResponse, send } from './http.js';
import { showKeyTerms } from './key-terms.js';
import { showOutage } from './outage.js';
import { startReceiver } from './receiver.js';
import { startKeyServiceReplica } from './replica.js';
import { type Stack, type Story } from './story.js';

const SCOPES = ['orders:read', 'orders:write'];
const VERIFY = 'apiKeys:verify';

interface Issued {
  issued_api_key: { key_id: string; key_preview: string; scopes: string[] };
  secret: string;
}
interface Verification {
  is_valid: boolean;
  actor_id: string;
  scopes: string[];
  metadata: object;
  error_code: string;
}
interface Added {
  id: string;
}
interface Derived {
  token: { token: string; expire_time: string };
}

/** Issues a key, verifies it, derives a JWT that is verified offline, and revokes the key. */
export async function showKeyService(story: Story, stack: Stack): Promise<void> {
  const direct = stack.services['key-service']?.url ?? '';
  const publicUrl = stack.services.gateway?.url ?? direct;
  const adminUrl = stack.services.gateway?.admin ?? direct;
  const headers = { Authorization: `Bearer ${stack.credentials.keysAdminApiKey}` };
  const admin = <Body = unknown>(
    path: string,
    json: object,
    { at = adminUrl, expect = 200 } = {},
  ): Promise<JsonResponse<Body>> =>
    send<Body>('POST', `${at}/v2alpha1/admin/${path}`, { headers, json, expect });
  const verify = async (credential: string, at?: string) => {
    const response = await admin<Verification>(VERIFY, { credential }, { at });
    return { ...response.body, cache: response.headers.get('x-cache') };
  };

  story.part('1. Key service', `API keys for programs, at ${adminUrl}`);

  const { key, secret } = await story.step('Issue a key to alice, for one hour', async (note) => {
    const { body, headers: responseHeaders } = await admin<Issued>(
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
    const issued = body.issued_api_key;
    assert.ok(responseHeaders.get('location')?.endsWith(issued.key_id));
    assert.deepEqual(issued.scopes, SCOPES);
    note(
      `secret ${mask(body.secret)}, shown only once; a hash of it is stored`,
      `listed as ${issued.key_preview}, key_id ${issued.key_id}`,
    );
    return { key: issued, secret: body.secret };
  });

  await story.step('Verify it for the first time: read from PostgreSQL', async (note) => {
    const result = await verify(secret);
    assert.equal(result.is_valid, true);
    assert.equal(result.actor_id, 'alice');
    assert.deepEqual(result.metadata, { plan: 'trial' });
    assert.equal(result.cache, 'MISS');
    note(`valid, alice, ${result.scopes.join(' ')}; X-Cache: MISS`);
  });

  await story.step('Verify it again: read from the cache', async (note) => {
    // With several replicas, each of them reads it for the first time.
    await eventually(async () => {
      const result = await verify(secret);
      assert.equal(result.is_valid, true);
      assert.equal(result.cache, 'HIT');
    });
    note('valid; X-Cache: HIT');
  });

  await story.step('Change one character: rejected without reading any store', async (note) => {
    const result = await verify(changeCharacter(secret));
    assert.equal(result.is_valid, false);
    note(`not valid: ${result.error_code}`);
  });

  const token = await story.step(
    'Derive a JWT from it, restricted to orders:read',
    async (note) => {
      const { body } = await admin<Derived>('apiKeys:derive', {
        credential: secret,
        algorithm: 'TOKEN_ALGORITHM_JWT',
        ttl: '5m',
        scopes: ['orders:read'],
        custom_claims: { region: 'eu' },
      });
      const { alg, kid } = decodeProtectedHeader(body.token.token);
      note(`${mask(body.token.token)} (${alg}, key ${kid}), until ${body.token.expire_time}`);
      return body.token.token;
    },
  );

  await story.step('Verify the JWT offline: jose and the published JWKS', async (note) => {
    const jwks = createRemoteJWKSet(new URL(`${publicUrl}/v2alpha1/derivedKeys/jwks.json`));
    const { payload } = await jwtVerify(token, jwks);
    assert.equal(payload.sub, key.key_id);
    assert.deepEqual(payload['act'], { sub: 'alice' });
    assert.equal(payload['region'], 'eu');
    assert.deepEqual([payload['scp']].flat(), ['orders:read']);
    const changed = changeCharacter(token, 10);
    await assert.rejects(jwtVerify(changed, jwks), /signature verification failed/);
    note(
      'signature valid, sub = the key, act = alice, scp = orders:read',
      'with one byte changed: rejected',
    );
  });

  const replica = await story.step('Start a second replica of the key service', async (note) => {
    const started = await startKeyServiceReplica();
    note(`at ${started.url}, on the same database`);
    return started;
  });
  try {
    const replicas = [direct, replica.url];
    await story.step('Both replicas cache the key', async () => {
      for (const at of replicas) {
        await verify(secret, at);
        const result = await verify(secret, at);
        assert.equal(result.is_valid, true);
        assert.equal(result.cache, 'HIT');
      }
    });
    await story.step('Revoke the key at one replica; the other is notified', async (note) => {
      const reason = 'REVOCATION_REASON_KEY_COMPROMISE';
      const path = `issuedApiKeys/${key.key_id}:revoke`;
      await admin(path, { reason }, { at: direct, expect: 204 });
      const revokedAt = performance.now();
      for (const at of replicas) {
        const result = await eventually(
          async () => {
            const seen = await verify(secret, at);
            assert.equal(seen.is_valid, false, `${at} still accepts the key`);
            return seen;
          },
          { timeoutMs: 4_000 },
        );
        assert.equal(result.error_code, 'VERIFICATION_ERROR_REVOKED');
        const elapsedMs = (performance.now() - revokedAt).toFixed(0);
        note(`${at} rejects it: ${result.error_code}, ${elapsedMs} ms later`);
      }
    });
    await story.step('The JWT derived from it is rejected too', async (note) => {
      for (const at of replicas) assert.equal((await verify(token, at)).is_valid, false);
      note('at both replicas; verified offline, it stays valid until it expires (five minutes)');
    });
  } finally {
    await replica.stop();
  }
  await story.step('Revoke it again: it is revoked already', async (note) => {
    const { body } = await admin<{ error: { status: string; message: string } }>(
      `apiKeys/${key.key_id}:revoke`,
      { reason: 'REVOCATION_REASON_SUPERSEDED' },
      { expect: 409 },
    );
    note(`409 ${body.error.status}: ${body.error.message}`);
  });
  await showKeyTerms(story, `${adminUrl}/v2alpha1/admin`, headers);
  await showKeyWebhooks(story, `${adminUrl}/v2alpha1/admin`, headers);
}

/** Adds a webhook endpoint; its receiver fails, comes back and asks for a replay. */
async function showKeyWebhooks(
  story: Story,
  admin: string,
  headers: Record<string, string>,
): Promise<void> {
  const receiver = await startReceiver();
  const post = <Body>(path: string, json: object = {}, expect = 200) =>
    send<Body>('POST', `${admin}/${path}`, { headers, json, expect });
  const endpoint = await story.step('Add a webhook endpoint for events of keys', async (note) => {
    const { url, secret } = receiver;
    const { body } = await post<Added>('webhook-endpoints', { url, secret }, 201);
    note(`signed webhooks to ${url}`);
    return body.id;
  });
  const path = `webhook-endpoints/${endpoint}`;
  try {
    await showOutage(story, {
      receiver,
      what: 'a key is issued, rotated and revoked',
      types: ['key.issued', 'key.rotated', 'key.revoked'],
      change: async () => {
        const fields = { name: 'Demo key', actor_id: 'bob', ttl: '1h' };
        const issued = await post<Issued>('issuedApiKeys', fields, 201);
        const { key_id: oldId } = issued.body.issued_api_key;
        const rotated = await post<Issued>(`issuedApiKeys/${oldId}:rotate`, {}, 201);
        const { key_id: keyId } = rotated.body.issued_api_key;
        const reason = 'REVOCATION_REASON_KEY_COMPROMISE';
        await post(`issuedApiKeys/${keyId}:revoke`, { reason }, 204);
      },
      state: async () => {
        const { body } = await send<{ state: string }>('GET', `${admin}/${path}`, { headers });
        return body.state;
      },
      resume: () => post(`${path}/resume`),
      replay: (from) => post('events/replay', { from_time: from, endpoint_id: endpoint }),
    });
  } finally {
    await send('DELETE', `${admin}/${path}`, { headers, expect: [204, 404] }).catch(() => {});
    await receiver.close();
  }
}

/** Prints only the ends of a credential. */
function mask(credential: string): string {
  return `${credential.slice(0, 12)}…${credential.slice(-4)}`;
}

function changeCharacter(text: string, fromEnd = 1): string {
  const at = text.length - fromEnd;
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}
