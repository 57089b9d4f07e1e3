/** The published client of Ory Talos works with this service unchanged. */
import { ApiKeysApi, Configuration, RevocationReason, TokenAlgorithm } from '@ory/client';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { ADMIN_KEY, type KeyServiceStack, startKeyService } from './key-stack.js';

let service: KeyServiceStack;
let api: ApiKeysApi;

beforeAll(async () => {
  service = await startKeyService({ ADMIN_API_KEYS: ADMIN_KEY });
  const basePath = service.replicas[0]?.url ?? '';
  api = new ApiKeysApi(new Configuration({ basePath, accessToken: ADMIN_KEY }));
});
afterAll(() => service.close());

/** The status of a call that must fail. */
const statusOf = async (call: Promise<unknown>): Promise<number | undefined> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason as { response?: { status: number } },
  );
  return error?.response?.status;
};

const issue = async (name = 'Client') => {
  const issueApiKeyRequest = { name, actor_id: 'client', scopes: ['a', 'b'], ttl: '3600s' };
  const { data } = await api.adminIssueApiKey({ issueApiKeyRequest });
  const key = data.issued_api_key;
  if (!key?.key_id || !data.secret) throw new Error('no key was issued');
  return { keyId: key.key_id, secret: data.secret, key };
};
const verify = async (credential: string) =>
  (await api.adminVerifyApiKey({ verifyApiKeyRequest: { credential } })).data;

describe('@ory/client ApiKeysApi', () => {
  it('issues, gets, lists, updates, rotates and revokes', async () => {
    const { keyId, secret, key } = await issue();
    expect((await api.adminGetIssuedApiKey({ keyId })).data).toEqual(key);
    const listed = await api.adminListIssuedApiKeys({
      pageSize: 1,
      filter: 'actor_id="client" AND status=KEY_STATUS_ACTIVE',
    });
    expect(listed.data).toEqual({ issued_api_keys: [key], next_page_token: '' });

    const updated = await api.adminUpdateIssuedApiKey({
      keyId,
      updateMask: 'name,rate_limit_policy',
      adminUpdateIssuedApiKeyRequest: {
        name: 'Renamed',
        rate_limit_policy: { quota: '10', window: '60s' },
      },
    });
    expect(updated.data).toMatchObject({ name: 'Renamed', rate_limit_policy: { quota: '10' } });

    const rotated = await api.adminRotateIssuedApiKey({ keyId, adminRotateIssuedApiKeyBody: {} });
    expect(rotated.data.old_issued_api_key?.status).toBe('KEY_STATUS_REVOKED');
    expect((await verify(secret)).error_code).toBe('VERIFICATION_ERROR_REVOKED');
    expect((await verify(rotated.data.secret ?? '')).is_valid).toBe(true);

    const revocation = {
      keyId: rotated.data.issued_api_key?.key_id ?? '',
      adminRevokeIssuedApiKeyBody: { reason: RevocationReason.RevocationReasonKeyCompromise },
    };
    expect((await api.adminRevokeIssuedApiKey(revocation)).status).toBe(204);
    expect(await statusOf(api.adminRevokeIssuedApiKey(revocation))).toBe(409);
  });

  it('imports one and many, updates, lists, revokes and deletes', async () => {
    const imported = await api.adminImportApiKey({
      importApiKeyRequest: { raw_key: 'client-raw-key-1', name: 'Raw', actor_id: 'client' },
    });
    const keyId = imported.data.key_id ?? '';
    expect((await verify('client-raw-key-1')).key_id).toBe(keyId);
    const batch = await api.adminBatchCreateImportedApiKeys({
      batchCreateImportedApiKeysRequest: {
        requests: [
          { raw_key: 'client-raw-key-2', name: 'Raw', actor_id: 'client' },
          { raw_key: 'client-raw-key-1', name: 'Raw', actor_id: 'client' },
        ],
      },
    });
    expect(batch.data).toMatchObject({ success_count: 1, failure_count: 1 });
    const second = batch.data.results?.[0]?.imported_api_key?.key_id ?? '';

    const updated = await api.adminUpdateImportedApiKey({
      keyId,
      adminUpdateImportedApiKeyRequest: { metadata: { source: 'client' } },
    });
    expect(updated.data.metadata).toEqual({ source: 'client' });
    const { data: read } = await api.adminGetImportedApiKey({ keyId });
    expect(read).toEqual({ ...updated.data, last_used_time: read.last_used_time });
    const page = await api.adminListImportedApiKeys({ pageSize: 1 });
    const next = await api.adminListImportedApiKeys({
      pageSize: 1,
      pageToken: page.data.next_page_token,
    });
    const keys = [page, next].flatMap(({ data }) => data.imported_api_keys ?? []);
    expect(keys.map(({ key_id }) => key_id)).toEqual([second, keyId]);

    await api.adminRevokeImportedApiKey({ keyId, adminRevokeImportedApiKeyBody: {} });
    expect((await verify('client-raw-key-1')).error_code).toBe('VERIFICATION_ERROR_REVOKED');
    expect((await api.adminDeleteImportedApiKey({ keyId: second })).status).toBe(204);
    expect(await statusOf(api.adminGetImportedApiKey({ keyId: second }))).toBe(404);
  });

  it('verifies one and many, around the cache', async () => {
    const { keyId, secret } = await issue();
    const verifyApiKeyRequest = { credential: secret };
    const states = [];
    for (const cacheControl of [undefined, undefined, 'no-cache', 'no-store']) {
      const { headers } = await api.adminVerifyApiKey({ verifyApiKeyRequest, cacheControl });
      states.push(String(headers['ory-talos-cache']));
    }
    expect(states).toEqual(['MISS', 'HIT', 'SKIP', 'SKIP']);
    const { data } = await api.adminBatchVerifyApiKeys({
      batchVerifyApiKeysRequest: { requests: [verifyApiKeyRequest, { credential: 'x' }] },
    });
    expect(data.results).toMatchObject([
      { is_valid: true, key_id: keyId },
      { is_valid: false, error_code: 'VERIFICATION_ERROR_NOT_FOUND' },
    ]);
  });

  it.each([TokenAlgorithm.TokenAlgorithmJwt, TokenAlgorithm.TokenAlgorithmMacaroon])(
    'derives a token: %s',
    async (algorithm) => {
      const { keyId, secret } = await issue();
      const { data } = await api.adminDeriveToken({
        deriveTokenRequest: {
          credential: secret,
          algorithm,
          ttl: '5m',
          scopes: ['a'],
          custom_claims: { tenant: 't1' },
        },
      });
      const token = data.token?.token ?? '';
      expect(await verify(token)).toMatchObject({ is_valid: true, key_id: keyId, scopes: ['a'] });
      const isJwt = algorithm === TokenAlgorithm.TokenAlgorithmJwt;
      expect(token.startsWith('eyJ')).toBe(isJwt);
      if (!isJwt) return;
      const { data: set } = await api.getJwks();
      expect(set.jwks?.keys).toHaveLength(1);
      const url = new URL(`${service.replicas[0]?.url}/v2alpha1/derivedKeys/jwks.json`);
      const { payload } = await jwtVerify(token, createRemoteJWKSet(url));
      expect(payload).toMatchObject({ sub: keyId, tenant: 't1' });
    },
  );

  it('revokes as the holder, without an admin credential', async () => {
    const { secret } = await issue();
    const holder = new ApiKeysApi(new Configuration({ basePath: service.replicas[0]?.url }));
    const selfRevokeApiKeyRequest = {
      credential: secret,
      reason: RevocationReason.RevocationReasonAffiliationChanged,
    };
    expect((await holder.revokeApiKey({ selfRevokeApiKeyRequest })).status).toBe(200);
    expect((await verify(secret)).error_code).toBe('VERIFICATION_ERROR_REVOKED');
    expect(await statusOf(holder.adminListIssuedApiKeys())).toBe(401);
  });
});
