/**
 * Random requests to every operation get an answer that the OpenAPI document describes, and never a
 * 5xx. Field and parameter names come from the document, so new ones are covered.
 */
import * as fc from 'fast-check';
import { type KeyServiceStack, startKeyService } from './key-stack.js';

interface Operation {
  method: string;
  path: string;
  parameters: string[];
}
type Schemas = Record<string, { properties?: object }>;
type Paths = Record<string, Record<string, { parameters?: { name: string; in: string }[] }>>;

const RUNS = 2_000;
const VALID = { name: 'Random', actor_id: 'random', request_id: undefined };

let service: KeyServiceStack;
let operations: Operation[];
let fieldNames: string[];
let known: Record<string, unknown[]>;
beforeAll(async () => {
  service = await startKeyService({ LOG_LEVEL: 'info', UNKNOWN_FIELDS: 'ignore' });
  const { paths, components } = (await service.call('GET', '/openapi.json')).body as {
    paths: Paths;
    components: { schemas: Schemas };
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [] }]) => ({
      method: method.toUpperCase(),
      path,
      parameters: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
    })),
  );
  fieldNames = Object.entries(components.schemas)
    .filter(([name]) => name.endsWith('Request') || name.endsWith('RateLimitPolicy'))
    .flatMap(([, { properties = {} }]) => Object.keys(properties));
  const issued = [await service.issue({ scopes: ['a'] }), await service.issue()];
  const raw_key = 'random-raw-key-0123456789';
  const fields = { ...VALID, raw_key };
  const imported = await service.admin('POST', '/importedApiKeys', fields);
  known = {
    keyIds: [...issued.map(({ key }) => key.key_id as string), imported.body.key_id as string],
    credentials: [...issued.map(({ secret }) => secret), raw_key, await service.tokenOf(raw_key)],
  };
});
afterAll(() => service.close());

/** Valid, almost valid and invalid values. */
const values = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom<unknown>(
      null,
      '',
      ' ',
      '\u0000',
      '\ud800',
      'x'.repeat(256),
      0,
      -1,
      2 ** 53,
      1.5,
      true,
      [],
      {},
      '1h',
      '5M',
      ['a'],
      [''],
      ['a b'],
      [null],
      { a: 1 },
      { toString: 1 },
      { length: 1 },
      'KEY_VISIBILITY_PUBLIC',
      2,
      'TOKEN_ALGORITHM_MACAROON',
      'REVOCATION_REASON_SUPERSEDED',
      { quota: 1, window: '1h' },
      { quota: '1' },
      { allowed_cidrs: ['10.0.0.0/8'] },
      { allowed_cidrs: ['10/8'] },
      [{ ...VALID, raw_key: 'r' }, {}],
      [{ credential: 'x' }],
      ['key.issued'],
      { 'X-Team': 'a' },
      ...(known.credentials ?? []),
    ),
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: 'binary' }),
  );

const bodies = (): fc.Arbitrary<unknown> => {
  const names = fc.constantFrom(...fieldNames, 'keyId', 'rateLimitPolicy', 'constructor');
  const some = fc.array(fc.tuple(names, values()), { maxLength: 4 });
  const members = fc.oneof(fc.constant([]), { weight: 2, arbitrary: some });
  const imports = fc.uuid().map((raw_key) => ({ ...VALID, raw_key }));
  // Members of other operations are ignored.
  const credentials = fc.constantFrom(...(known.credentials ?? []));
  const complete = fc.tuple(imports, credentials).map(([imported, credential]) => ({
    credential,
    url: 'https://example.com/webhooks',
    from_time: '2026-01-15T09:00:00Z',
    amount: '1',
    drop_time: '2999-01-01T00:00:00Z',
    issuer: 'https://issuer.example.com',
    audience: 'https://keys.example.com',
    subject_pattern: 'repo:*',
    requests: [{ ...imported, credential }],
    ...imported,
  }));
  const base = fc.oneof(
    { weight: 6, arbitrary: complete },
    fc.constantFrom({}, ...(known.credentials ?? []).map((credential) => ({ credential }))),
    imports,
    fc.constant({ url: 'https://example.com/webhooks' }),
    fc.constant({ from_time: '2026-01-15T09:00:00Z' }),
    fc.array(imports, { minLength: 1, maxLength: 3 }).map((items) => ({ requests: items })),
    fc.constant({ requests: known.credentials?.map((credential) => ({ credential })) }),
  );
  const objects = fc
    .tuple(base, members)
    .map(([valid, more]): object => ({ ...valid, ...Object.fromEntries(more) }));
  return fc.oneof({ weight: 20, arbitrary: objects }, { weight: 1, arbitrary: values() });
};

const requests = () => {
  const texts = fc.oneof(
    fc.constantFrom('*', 'name', 'name,scopes', '0', '7', 'actor_id="random"', 'status=x', 'a AND'),
    fc.string({ unit: 'grapheme', maxLength: 50 }),
  );
  return fc.record({
    operation: fc.constantFrom(...operations),
    keyId: fc.constantFrom(...((known.keyIds ?? []) as string[]), 'no-key', '%00'),
    query: fc.array(texts, { maxLength: 3 }),
    body: bodies(),
    credential: fc.constantFrom(...((known.credentials ?? []) as string[]), 'unknown'),
    cacheControl: fc.constantFrom('', 'no-cache', 'no-store'),
  });
};

it(`${RUNS} random requests get described answers, and none is a 5xx`, async () => {
  const pastReading = new Set<string>();
  await fc.assert(
    fc.asyncProperty(requests(), async (request) => {
      const { method, path, parameters } = request.operation;
      const query = request.query
        .slice(0, parameters.length)
        .map((text, index) => `${parameters[index]}=${encodeURIComponent(text)}`);
      const url = `${path.replace('{key_id}', request.keyId)}?${query.join('&')}`;
      const hasBody = method === 'POST' || method === 'PATCH';
      const body = hasBody ? JSON.stringify(request.body) : undefined;
      const answer = await service.call(method, url, body, {
        headers: { 'x-api-key': request.credential, 'cache-control': request.cacheControl },
      });
      if (answer.status !== 400) pastReading.add(`${method} ${path}`);
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toContain('VERIFICATION_ERROR_INTERNAL');
    }),
    { numRuns: RUNS },
  );
  // If all requests were refused, the test would prove little.
  expect([...pastReading].sort()).toEqual(
    operations.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});
