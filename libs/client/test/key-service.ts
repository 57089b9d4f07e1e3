/** A key service for the tests of the client. */
import { type Json, openTestStack, orClose, type ServiceProcess } from '@gatehouse/testing';

export const ADMIN_KEY = 'test-admin-key-test-admin-key';

export interface KeyService {
  readonly service: ServiceProcess;
  /** The connection of the client, which counts the requests that it sends. */
  readonly connection: { url: string; key: string; fetch: typeof fetch };
  requests(): number;
  admin(path: string, body: object): Promise<Json>;
  /** Issues a key. */
  issue(fields?: object): Promise<{ secret: string; keyId: string }>;
  /** Issues a key and derives a token from it. */
  token(fields: object, more?: object): Promise<string>;
  close(): Promise<void>;
}

export async function startKeyService(): Promise<KeyService> {
  const stack = await openTestStack('key-service', {
    settings: {
      HMAC_SECRETS: 'test-hmac-secret-test-hmac-secret-01',
      ENCRYPTION_KEYS: 'test-encryption-key-test-encryption-1',
      ADMIN_API_KEYS: ADMIN_KEY,
    },
  });
  const service = await orClose(stack.close, () => stack.start('key-service'));
  let sent = 0;
  const counting: typeof fetch = (input, init) => {
    sent += 1;
    return fetch(input, init);
  };
  const admin: KeyService['admin'] = async (path, json) => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const answer = await service.http.send('POST', `/v2alpha1/admin/${path}`, { headers, json });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const issue: KeyService['issue'] = async (fields) => {
    const body = await admin('issuedApiKeys', { name: 'CI', actor_id: 'alice', ...fields });
    return { secret: body.secret, keyId: body.issued_api_key.key_id };
  };
  return {
    service,
    connection: { url: service.adminUrl, key: ADMIN_KEY, fetch: counting },
    requests: () => sent,
    admin,
    issue,
    token: async (fields, more) => {
      const { secret } = await issue(fields);
      return (await admin('apiKeys:derive', { credential: secret, ...more })).token.token;
    },
    close: stack.close,
  };
}
