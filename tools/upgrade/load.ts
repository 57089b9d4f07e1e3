/** Requests of each service that write and read, on a version that is given its address. */
import { type ServiceProcess } from '@gatehouse/testing';

export const KEY = 'a-key-of-the-tests-of-upgrades';

/** Settings of all services, besides the addresses of the stores. */
export const SETTINGS = {
  ADMIN_API_KEYS: KEY,
  API_KEYS: KEY,
  EXTERNAL_URL: 'https://sync.example.com',
  HMAC_SECRETS: `hmac-${KEY}`,
  ENCRYPTION_KEYS: `encryption-${KEY}`,
  WEBHOOK_ALLOW_PRIVATE: 'true',
};

type Send = (
  method: string,
  path: string,
  options?: { json?: object; authorization?: string },
) => Promise<unknown>;

interface Use {
  /** Writes to the service and reads from it. */
  round: () => Promise<void>;
  /** Reads all that the rounds have left. Throws if something is missing. */
  readBack: () => Promise<void>;
  /** How many webhooks the rounds have caused. */
  webhooks: () => number;
}

/** @param webhookUrl where a directory sends its changes; empty: nowhere */
type Prepare = (send: Send, webhookUrl: string) => Promise<Use>;

const useKeys: Prepare = (send) => {
  const admin = { authorization: `Bearer ${KEY}` };
  const path = '/v2alpha1/admin';
  const secrets: string[] = [];
  const verify = async (credential: string) => {
    const answer = await send('POST', `${path}/apiKeys:verify`, { ...admin, json: { credential } });
    if (!(answer as { is_valid: boolean }).is_valid) throw new Error(JSON.stringify(answer));
  };
  const round = async () => {
    const json = { name: 'x', actor_id: 'a', scopes: ['read'] };
    const issued = await send('POST', `${path}/issuedApiKeys`, { ...admin, json });
    const { issued_api_key: key, secret } = issued as {
      issued_api_key: { key_id: string };
      secret: string;
    };
    await verify(secret);
    await send('GET', `${path}/issuedApiKeys?page_size=10`, admin);
    const rotated = `${path}/issuedApiKeys/${key.key_id}:rotate`;
    secrets.push(
      ((await send('POST', rotated, { ...admin, json: {} })) as { secret: string }).secret,
    );
  };
  const readBack = async () => {
    for (const secret of secrets) await verify(secret);
  };
  return Promise.resolve({ round, readBack, webhooks: () => 0 });
};

const useDirectory: Prepare = async (send, webhookUrl) => {
  const created = await send('POST', '/api/v1/dsync', {
    authorization: `Api-Key ${KEY}`,
    json: {
      tenant: 'tenant',
      product: 'product',
      ...(webhookUrl !== '' && { webhook_url: webhookUrl }),
    },
  });
  const { scim } = (created as { data: { scim: { secret: string; path: string } } }).data;
  const provider = { authorization: `Bearer ${scim.secret}` };
  const users = `${scim.path}/Users`;
  const kept: string[] = [];
  let count = 0;
  let changes = 0;
  const round = async () => {
    const number = (count += 1);
    const json = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: `user-${number}`,
      active: true,
    };
    const { id } = (await send('POST', users, { ...provider, json })) as { id: string };
    await send('PUT', `${users}/${id}`, { ...provider, json: { ...json, active: false } });
    await send('GET', `${users}?filter=userName+eq+%22${json.userName}%22`, provider);
    changes += 2;
    if (number % 2 === 0) {
      kept.push(id);
      return;
    }
    await send('DELETE', `${users}/${id}`, provider);
    changes += 1;
  };
  const readBack = async () => {
    for (const id of kept) await send('GET', `${users}/${id}`, provider);
  };
  return { round, readBack, webhooks: () => changes };
};

const useForms: Prepare = (send) => {
  const admin = { authorization: `Bearer ${KEY}` };
  const kept: string[] = [];
  let count = 0;
  const round = async () => {
    const id = `schema-${(count += 1)}`;
    const traits = { type: 'object', properties: { name: { type: 'string' } } };
    const schema = { type: 'object', properties: { traits } };
    await send('POST', '/v1/schemas', { ...admin, json: { id, schema } });
    const identity = { schema_id: id, traits: { name: id } };
    const made = await send('POST', '/v1/identities', { ...admin, json: identity });
    const flow = { kind: 'sign-up', schema_id: id };
    const { id: flowId } = (await send('POST', '/v1/flows', { ...admin, json: flow })) as {
      id: string;
    };
    await send('GET', `/v1/flows/${flowId}`, admin);
    await send('GET', '/v1/identities', admin);
    kept.push(`/v1/schemas/${id}`, `/v1/identities/${(made as { id: string }).id}`);
  };
  const readBack = async () => {
    for (const path of kept) await send('GET', path, admin);
  };
  return Promise.resolve({ round, readBack, webhooks: () => 0 });
};

/** The services with tables that the first release had. */
export const SERVICES = [
  { app: 'key-service', schema: 'keys', prepare: useKeys },
  { app: 'dsync-api', schema: 'dsync', prepare: useDirectory },
  { app: 'identity-forms', schema: 'forms', prepare: useForms },
] as const;

export interface Load extends Omit<Use, 'round'> {
  /** Rounds that are done. */
  rounds: number;
  /** The errors of all that failed. */
  failures: string[];
  stop: () => Promise<void>;
}

/**
 * Goes through rounds with some clients until it is stopped.
 * @param services the processes that it sends to in turn; may change meanwhile
 */
export async function startLoad(
  prepare: Prepare,
  services: readonly ServiceProcess[],
  { clients, webhookUrl = '' }: { clients: number; webhookUrl?: string },
): Promise<Load> {
  const { round, ...use } = await prepare(senderTo(services), webhookUrl);
  let isOver = false;
  const stop = async () => {
    isOver = true;
    await Promise.all(running);
  };
  const load = { ...use, rounds: 0, failures: [] as string[], stop };
  const running = Array.from({ length: clients }, async () => {
    while (!isOver) {
      await round().catch((error: unknown) => load.failures.push(String(error)));
      load.rounds += 1;
    }
  });
  return load;
}

/** A request throws unless it succeeds. */
function senderTo(services: readonly ServiceProcess[]): Send {
  let turn = 0;
  return async (method, path, { json, authorization = '' } = {}) => {
    const url = services[(turn += 1) % services.length]?.url ?? '';
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(url + path, {
      method,
      headers: json === undefined ? { authorization } : headers,
      body: json === undefined ? undefined : JSON.stringify(json),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
}
