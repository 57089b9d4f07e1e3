/**
 * Replicas of the key service on a new database and Redis namespace. The test stack
 * checks every answer against /openapi.json and searches the logs for every secret of the test.
 */
import {
  type Answer,
  eventually,
  type HttpClient,
  openTestStack,
  orClose,
  runMigrations,
  type ServiceProcess,
  type TestDatabase,
  type TestRedis,
} from '@gatehouse/testing';

export const HMAC_SECRET = 'test-hmac-secret-test-hmac-secret-01';
export const ENCRYPTION_KEY = 'test-encryption-key-test-encryption-1';
export const ADMIN_KEY = 'test-admin-key-test-admin-key';

/** The result for a credential that is unknown, altered or malformed. */
export const UNKNOWN_CREDENTIAL = {
  is_valid: false,
  status: 'KEY_STATUS_UNSPECIFIED',
  key_id: '',
  actor_id: '',
  scopes: [],
  metadata: {},
  expire_time: null,
  visibility: 'KEY_VISIBILITY_UNSPECIFIED',
  issuer: '',
  rate_limit_policy: null,
  audiences: [],
  rate_limit_reset_time: null,
  error_code: 'VERIFICATION_ERROR_NOT_FOUND',
  error_message: 'The credential is unknown.',
};

export const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

export interface CallOptions {
  headers?: Record<string, string>;
  /** The index of the replica to call; 0 by default. */
  replica?: number;
}

export type Replica = ServiceProcess & { http: HttpClient };

export interface KeyServiceStack {
  readonly database: TestDatabase;
  readonly redis: TestRedis;
  readonly replicas: readonly Replica[];
  /** Sends a request as application/json: a string unchanged, anything else as JSON. */
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
  /** A token that is derived from a credential. */
  tokenOf(credential: string, more?: Record<string, unknown>): Promise<string>;
  /** Why a credential is not valid; undefined when it is. */
  errorOf(credential: string, more?: Record<string, unknown>): Promise<string | undefined>;
  /** Waits until a credential has expired. */
  untilExpired(credential: string): Promise<void>;
  /** Starts another process on the same stores. */
  start(environment?: Record<string, string>): Promise<Replica>;
  /** Starts a worker that delivers the webhooks of this service; it retries every second. */
  startWorker(environment?: Record<string, string>): Promise<ServiceProcess>;
  close(): Promise<void>;
}

export async function startKeyService(
  environment: Record<string, string> = {},
  replicaCount = 1,
): Promise<KeyServiceStack> {
  const stack = await openTestStack('key-service', {
    settings: {
      HMAC_SECRETS: HMAC_SECRET,
      ENCRYPTION_KEYS: ENCRYPTION_KEY,
      LOG_LEVEL: 'debug',
      ...environment,
    },
  });
  const replicas: Replica[] = [];
  const start = async (more?: Record<string, string>) => {
    const replica = await stack.start('key-service', more);
    replicas.push(replica);
    return replica;
  };
  await orClose(stack.close, () =>
    Promise.all(Array.from({ length: replicaCount }, () => start())),
  );

  const call: KeyServiceStack['call'] = (method, path, body, { headers, replica = 0 } = {}) => {
    const { http } = replicas[replica] as Replica;
    return typeof body === 'string'
      ? http.send(method, path, {
          headers: { 'content-type': 'application/json', ...headers },
          body,
        })
      : http.send(method, path, { headers, json: body });
  };
  const admin: KeyServiceStack['admin'] = (method, path, body, options) =>
    call(method, `/v2alpha1/admin${path}`, body, options);

  const verify: KeyServiceStack['verify'] = (credential, more = {}, options = {}) =>
    admin('POST', '/apiKeys:verify', { credential, ...more }, options);
  const errorOf: KeyServiceStack['errorOf'] = async (credential, more) =>
    (await verify(credential, more)).body.error_code as string | undefined;
  const derive: KeyServiceStack['derive'] = (credential, more = {}) =>
    admin('POST', '/apiKeys:derive', { credential, ...more });

  return {
    database: stack.database,
    redis: stack.redis,
    replicas,
    call,
    admin,
    start,
    startWorker: async (more) => {
      await runMigrations('dsync-api', stack.database.url);
      return stack.start('dsync-worker', {
        KEYS_DATABASE_URL: stack.database.serviceUrl,
        KEYS_ENCRYPTION_KEYS: ENCRYPTION_KEY,
        DSYNC_SWEEP_INTERVAL: '1',
        DSYNC_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1',
        DSYNC_EVENT_ATTEMPTS: '2',
        ...more,
      });
    },
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
    close: () => stack.close(),
  };
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
