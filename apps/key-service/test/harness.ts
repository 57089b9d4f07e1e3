// Starts real processes of the key service on a database and a corner of Redis of their own and
// talks to them over HTTP. Every answer is held against /openapi.json, and at the end everything
// that was logged is searched for every secret of the test.
import {
  eventually,
  openTestStack,
  orClose,
  type ServiceProcess,
  type TestDatabase,
  type TestRedis,
} from '@gatehouse/testing';
import { ApiDescription } from './api-description.js';

export const HMAC_SECRET = 'test-hmac-secret-test-hmac-secret-01';
export const ENCRYPTION_KEY = 'test-encryption-key-test-encryption-1';
export const ADMIN_KEY = 'test-admin-key-test-admin-key';

/** The result of every credential that is not known, tampered with, or none at all. */
export const UNKNOWN_CREDENTIAL = {
  is_valid: false,
  status: 'KEY_STATUS_UNSPECIFIED',
  ...{ key_id: '', actor_id: '', scopes: [], metadata: {}, expire_time: null },
  visibility: 'KEY_VISIBILITY_UNSPECIFIED',
  ...{ issuer: '', rate_limit_policy: null, rate_limit_reset_time: null },
  error_code: 'VERIFICATION_ERROR_NOT_FOUND',
  error_message: 'The credential is not known.',
};

export interface Answer {
  status: number;
  headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into it freely
  body: any;
}

export interface CallOptions {
  headers?: Record<string, string>;
  /** Which replica is asked; the first one by default. */
  replica?: number;
}

export interface KeyServiceHarness {
  readonly database: TestDatabase;
  readonly redis: TestRedis;
  readonly replicas: ServiceProcess[];
  /** Sends a request; an object goes as JSON, a text as it is but still as application/json. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** As `call`, below /v2alpha1/admin. */
  admin(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** Issues a key and returns its secret and its record. */
  issue(fields?: Record<string, unknown>): Promise<{ secret: string; key: Answer['body'] }>;
  verify(
    credential: string,
    more?: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<Answer>;
  /** The answer to a derivation from a credential. */
  derive(credential: string, more?: Record<string, unknown>): Promise<Answer>;
  /** A token that is derived from a credential, without much ado. */
  tokenOf(credential: string, more?: Record<string, unknown>): Promise<string>;
  /** Why a credential is not valid; undefined when it is. */
  errorOf(credential: string, more?: Record<string, unknown>): Promise<string | undefined>;
  /** Waits for the end of a credential. */
  untilExpired(credential: string): Promise<void>;
  /** Starts another process on the same stores. */
  start(environment?: Record<string, string>): Promise<ServiceProcess>;
  close(): Promise<void>;
}

const SECRET_FIELDS = ['secret', 'raw_key', 'credential', 'token'];

export async function startKeyService(
  environment: Record<string, string> = {},
  replicaCount = 1,
): Promise<KeyServiceHarness> {
  const stand = await openTestStack('key-service');
  const replicas: ServiceProcess[] = [];
  const secrets = new Set<string>();

  const start = async (more: Record<string, string> = {}) => {
    const service = await stand.start('key-service', {
      HMAC_SECRETS: HMAC_SECRET,
      ENCRYPTION_KEYS: ENCRYPTION_KEY,
      LOG_LEVEL: 'debug',
      ...environment,
      ...more,
    });
    replicas.push(service);
    return service;
  };
  const description = await orClose(stand.close, async () => {
    await Promise.all(Array.from({ length: replicaCount }, () => start()));
    return ApiDescription.of(replicas[0]?.url ?? '');
  });

  const call: KeyServiceHarness['call'] = async (method, path, body, options = {}) => {
    const base = replicas[options.replica ?? 0]?.url ?? '';
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const parsed: unknown = isJson(response) && text !== '' ? JSON.parse(text) : text;
    collectSecrets(body, secrets);
    collectSecrets(parsed, secrets);
    description.check(method, path, response.status, parsed);
    return { status: response.status, headers: response.headers, body: parsed };
  };
  const admin: KeyServiceHarness['admin'] = (method, path, body, options) =>
    call(method, `/v2alpha1/admin${path}`, body, options);

  const verify: KeyServiceHarness['verify'] = (credential, more = {}, options = {}) =>
    admin('POST', '/apiKeys:verify', { credential, ...more }, options);
  const errorOf: KeyServiceHarness['errorOf'] = async (credential, more) =>
    (await verify(credential, more)).body.error_code as string | undefined;
  const derive: KeyServiceHarness['derive'] = (credential, more = {}) =>
    admin('POST', '/apiKeys:derive', { credential, ...more });

  return {
    database: stand.database,
    redis: stand.redis,
    replicas,
    call,
    admin,
    start,
    verify,
    derive,
    tokenOf: async (credential, more) => {
      const { status, body } = await derive(credential, more);
      if (status !== 200) throw new Error(`derive answered ${status}: ${JSON.stringify(body)}`);
      return body.token.token as string;
    },
    errorOf,
    untilExpired: (credential) =>
      eventually(async () => {
        const error = await errorOf(credential);
        if (error !== 'VERIFICATION_ERROR_EXPIRED') throw new Error(`it is ${error ?? 'valid'}`);
      }),
    issue: async (fields = {}) => {
      const { status, body } = await admin('POST', '/issuedApiKeys', {
        name: 'Test',
        actor_id: 'user_1',
        ...fields,
      });
      if (status !== 201) throw new Error(`issue answered ${status}: ${JSON.stringify(body)}`);
      return { secret: body.secret, key: body.issued_api_key };
    },
    close: async () => {
      await stand.close();
      const logs = replicas.map((replica) => replica.logs()).join('');
      const leaked = [...secrets].filter((secret) => secret.length > 12 && logs.includes(secret));
      if (leaked.length > 0) throw new Error(`${leaked.length} secrets stand in the logs`);
    },
  };
}

function isJson(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').startsWith('application/json');
}

/** Notes every text in a field that holds a secret, at any depth. */
function collectSecrets(value: unknown, secrets: Set<string>): void {
  if (Array.isArray(value)) value.forEach((item) => collectSecrets(item, secrets));
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && SECRET_FIELDS.includes(name)) secrets.add(member);
      else collectSecrets(member, secrets);
    }
  }
}

/** The fields that an error answer names. */
export function namedFields(answer: Answer): string[] {
  const details = (answer.body?.error?.details ?? []) as {
    field_violations?: { field: string }[];
  }[];
  return details.flatMap(({ field_violations: violations = [] }) =>
    violations.map(({ field }) => field),
  );
}

/** The stable reason of an error answer. */
export function reasonOf(answer: Answer): string {
  return answer.body?.error?.details?.[0]?.reason as string;
}
