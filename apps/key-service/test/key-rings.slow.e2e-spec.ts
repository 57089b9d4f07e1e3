/**
 * Every secret of the service can be rotated while two replicas serve: all replicas add it after
 * the current one, then move it to the front, then remove the old one.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { CONTROL_PLANE, eventually } from '@gatehouse/testing';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { Client } from 'pg';
import { ENCRYPTION_KEY, HMAC_SECRET, type KeyServiceStack, startKeyService } from './key-stack.js';

const NEW_HMAC = 'new-hmac-secret-new-hmac-secret-0002';
const NEW_ENCRYPTION = 'new-encryption-key-new-encryption-02';

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

/** Starts replicas with other settings in parallel and returns their indexes. */
const join = async <Settings extends Record<string, string>[]>(
  ...settings: Settings
): Promise<{ [Index in keyof Settings]: number }> => {
  const started = await Promise.all(settings.map((more) => service.start(more)));
  return started.map((replica) => service.replicas.indexOf(replica)) as never;
};
const isValidOn = async (replica: number, credential: string) =>
  (await service.verify(credential, {}, { replica })).body.is_valid as boolean;
const deriveOn = async (replica: number, credential: string, algorithm: number) => {
  const body = { credential, algorithm };
  const answer = await service.admin('POST', '/apiKeys:derive', body, { replica });
  return answer.body.token.token as string;
};
const keySetOf = async (replica: number) =>
  (await service.call('GET', '/v2alpha1/derivedKeys/jwks.json', undefined, { replica }))
    .body as JSONWebKeySet;

describe('HMAC_SECRETS', () => {
  it('rotate without any failed verification', async () => {
    const before = await service.issue();
    const raw_key = 'ring-raw-key-0123456789';
    await service.admin('POST', '/importedApiKeys', { raw_key, name: 'x', actor_id: 'x' });
    const oldId = await hashKeyId();
    const macaroon = await deriveOn(0, before.secret, 2);
    const old = [before.secret, raw_key, macaroon];

    const [behind, inFront] = await join(
      { HMAC_SECRETS: `${HMAC_SECRET},${NEW_HMAC}` },
      { HMAC_SECRETS: `${NEW_HMAC},${HMAC_SECRET}` },
    );
    const made = await service.admin(
      'POST',
      '/issuedApiKeys',
      { name: 'x', actor_id: 'x' },
      { replica: inFront },
    );
    const fresh = [made.body.secret as string, await deriveOn(inFront, before.secret, 2)];
    for (const credential of [...old, ...fresh]) {
      expect(await isValidOn(behind, credential)).toBe(true);
      expect(await isValidOn(inFront, credential)).toBe(true);
    }

    const page = await service.admin('GET', '/issuedApiKeys?page_size=1', undefined, {
      replica: behind,
    });
    const token = page.body.next_page_token as string;
    const next = await service.admin('GET', `/issuedApiKeys?page_token=${token}`, undefined, {
      replica: inFront,
    });
    expect(next.status).toBe(200);

    // A verification with the new secret in front rehashes an imported key.
    await eventually(async () => expect(await hashKeyId()).not.toBe(oldId));
    const [alone] = await join({ HMAC_SECRETS: NEW_HMAC });
    for (const credential of [...fresh, raw_key]) {
      expect(await isValidOn(alone, credential)).toBe(true);
    }
    expect(await isValidOn(alone, before.secret)).toBe(false);
    expect(await isValidOn(alone, macaroon)).toBe(false);
  });

  it('let a raw key be imported once, whichever secret a replica hashes it with', async () => {
    const [behind, inFront] = await join(
      { HMAC_SECRETS: `${HMAC_SECRET},${NEW_HMAC}` },
      { HMAC_SECRETS: `${NEW_HMAC},${HMAC_SECRET}` },
    );
    const importOn = (replica: number, raw_key: string) =>
      service.admin('POST', '/importedApiKeys', { raw_key, name: 'x', actor_id: 'x' }, { replica });
    for (let round = 0; round < 10; round += 1) {
      const raw_key = `ring-race-${round}-0123456789`;
      const answers = await Promise.all([importOn(behind, raw_key), importOn(inFront, raw_key)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
      const again = await Promise.all([importOn(behind, raw_key), importOn(inFront, raw_key)]);
      expect(again.map(({ status }) => status)).toEqual([409, 409]);
      expect(await isValidOn(behind, raw_key)).toBe(true);
      expect(await isValidOn(inFront, raw_key)).toBe(true);
    }
  });

  it('do not keep a replica from seeing at once that a key was imported', async () => {
    const [behind, inFront] = await join(
      { HMAC_SECRETS: `${HMAC_SECRET},${NEW_HMAC}` },
      { HMAC_SECRETS: `${NEW_HMAC},${HMAC_SECRET}` },
    );
    const raw_key = 'ring-unknown-0123456789';
    expect(await isValidOn(behind, raw_key)).toBe(false);
    const fields = { raw_key, name: 'x', actor_id: 'x' };
    await service.admin('POST', '/importedApiKeys', fields, { replica: inFront });
    await eventually(async () => expect(await isValidOn(behind, raw_key)).toBe(true), {
      timeoutMs: 1_000,
    });
  });

  /** The id of the secret that keys the hash of the first imported key. */
  const hashKeyId = async (): Promise<string | undefined> => {
    const client = new Client(service.database.url);
    await client.connect();
    const { rows } = await client.query<{ id: string }>(
      `SELECT hash_key_id AS id FROM keys.api_keys WHERE kind = 'imported' ORDER BY create_time`,
    );
    await client.end();
    return rows[0]?.id;
  };
});

describe('ENCRYPTION_KEYS', () => {
  it('rotate step by step: signing keys are resealed, and the old key can be removed', async () => {
    const steps = [
      `${ENCRYPTION_KEY},${NEW_ENCRYPTION}`,
      `${NEW_ENCRYPTION},${ENCRYPTION_KEY}`,
      NEW_ENCRYPTION,
    ];
    const rotating = await startKeyService();
    try {
      const { secret } = await rotating.issue();
      const tokens: string[] = [];
      for (let replica = 0; replica <= steps.length; replica += 1) {
        if (replica > 0) {
          await rotating.start({ ENCRYPTION_KEYS: steps[replica - 1] ?? '' });
          await rotating.replicas[replica - 1]?.stop();
        }
        const fields = { credential: secret };
        const { body } = await rotating.admin('POST', '/apiKeys:derive', fields, { replica });
        tokens.push(body.token.token as string);
        for (const token of tokens) {
          expect((await rotating.verify(token, {}, { replica })).body.is_valid).toBe(true);
        }
      }
      expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size).toBe(1);
    } finally {
      await rotating.close();
    }
  });
});

describe('ENCRYPTION_KEYS that open no signing key', () => {
  it('keep a replica from starting, with a message that says why', async () => {
    const start = service.start({ ENCRYPTION_KEYS: 'wrong-encryption-key-wrong-encryption' });
    await expect(start).rejects.toThrow('ENCRYPTION_KEYS opens none of the signing keys');
  });
});

describe('npm run keys:rotate-signing', () => {
  const rotate = (...flags: string[]) =>
    execFileSync('node', ['dist/bundles/key-service/rotate-signing-key.js', ...flags], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: service.database.url,
        REDIS_URL: service.redis.url,
        REDIS_NAMESPACE: service.redis.namespace,
        HMAC_SECRETS: HMAC_SECRET,
        ENCRYPTION_KEYS: ENCRYPTION_KEY,
        ...CONTROL_PLANE,
      },
    }).toString();

  it('says how it is used, and refuses options that it does not know with 2', () => {
    const program = 'dist/bundles/key-service/rotate-signing-key.js';
    const run = (flag: string) => spawnSync('node', [program, flag], { encoding: 'utf8' });
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Usage: /) });
    for (const flag of ['--at-onec', 'now']) {
      const { status, stderr } = run(flag);
      expect(status).toBe(2);
      expect(stderr).toMatch(/^Un\w+ .*\n\nUsage: /);
      expect(stderr).not.toContain('    at ');
    }
  });

  it('publishes the new key before it signs, and keeps the old one', async () => {
    const { secret } = await service.issue();
    const token = await deriveOn(0, secret, 1);
    const count = (await keySetOf(0)).keys.length;
    expect(rotate()).toMatch(/^Signing key \S+ added; the running replicas have been told\.\n$/);
    await eventually(async () => expect((await keySetOf(0)).keys).toHaveLength(count + 1));
    const next = await deriveOn(0, secret, 1);
    expect(decodeProtectedHeader(next).kid).toBe(decodeProtectedHeader(token).kid);
  });

  it('--at-once signs with it now, and tokens of both keys are accepted', async () => {
    const { secret } = await service.issue();
    const token = await deriveOn(0, secret, 1);
    const kid = / (\S+) added/.exec(rotate('--at-once'))?.[1];
    await eventually(async () => {
      expect(decodeProtectedHeader(await deriveOn(0, secret, 1)).kid).toBe(kid);
    });
    const set = createLocalJWKSet(await keySetOf(0));
    for (const jwt of [token, await deriveOn(0, secret, 1)]) {
      expect(await isValidOn(0, jwt)).toBe(true);
      await expect(jwtVerify(jwt, set)).resolves.toBeDefined();
    }
  });

  it('--drop-others invalidates all tokens of the other keys, also cached ones', async () => {
    const { secret } = await service.issue();
    const token = await deriveOn(0, secret, 1);
    // The checked signature is cached: dropping the key must invalidate that, too.
    expect(await isValidOn(0, token)).toBe(true);
    rotate('--drop-others');
    await eventually(async () => expect((await keySetOf(0)).keys).toHaveLength(1));
    await eventually(async () => expect(await isValidOn(0, token)).toBe(false));
    expect(await isValidOn(0, await deriveOn(0, secret, 1))).toBe(true);
  });
});

describe.each(['ES256', 'RS256'])('SIGNING_ALGORITHM=%s', (algorithm) => {
  it('signs with it on a fresh database', async () => {
    const fresh = await startKeyService({ SIGNING_ALGORITHM: algorithm });
    try {
      const issued = await fresh.issue();
      const { body } = await fresh.admin('POST', '/apiKeys:derive', { credential: issued.secret });
      const jwt = body.token.token as string;
      expect(decodeProtectedHeader(jwt).alg).toBe(algorithm);
      const set = await fresh.call('GET', '/v2alpha1/derivedKeys/jwks.json');
      const keySet = createLocalJWKSet(set.body as JSONWebKeySet);
      await expect(jwtVerify(jwt, keySet)).resolves.toBeDefined();
      expect((await fresh.verify(jwt)).body.is_valid).toBe(true);
      expect((await fresh.verify(`${jwt.slice(0, -4)}AAAA`)).body.is_valid).toBe(false);
    } finally {
      await fresh.close();
    }
  });
});

describe('another SIGNING_ALGORITHM than before', () => {
  it('is announced in the key set before it signs', async () => {
    const { secret } = await service.issue();
    const before = await keySetOf(0);
    const [other] = await join({
      SIGNING_ALGORITHM: 'ES256',
      ENCRYPTION_KEYS: `${ENCRYPTION_KEY},${NEW_ENCRYPTION}`,
    });
    const added = (await keySetOf(other)).keys.filter(
      ({ kid }) => !before.keys.some((known) => known.kid === kid),
    );
    expect(added.map(({ alg }) => alg)).toEqual(['ES256']);
    const token = await deriveOn(other, secret, 1);
    expect(decodeProtectedHeader(token).alg).toBe('EdDSA');
    expect(await isValidOn(other, token)).toBe(true);
  });
});
