/**
 * The description of the API is valid, complete and committed, and a client that is generated from
 * it compiles and works. Every other test compares its answers with the description.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import {
  type Answer,
  answersToOddRequests,
  ApiDescription,
  prefilledPosts,
} from '@gatehouse/testing';
import { ADMIN_KEY, type KeyServiceStack, reasonOf, startKeyService } from './key-stack.js';

const COMMITTED = join('apps', 'key-service', 'src', 'key-service.openapi.json');
const PROGRAM = `
import { createClient } from './client/client/index.js';
import * as api from './client/sdk.gen.js';
import { type IssuedApiKey, type VerifyApiKeyResponse } from './client/types.gen.js';

const client = createClient({ baseUrl: process.argv[2] as string, throwOnError: true });
const issued = await api.adminIssueApiKey({
  client,
  throwOnError: true,
  body: { name: 'Generated', actor_id: 'client', rate_limit_policy: { quota: '5', window: '60s' } },
});
const key: IssuedApiKey = issued.data.issued_api_key;
const end: string | null = key.expire_time;
const { data } = await api.adminVerifyApiKey({
  client,
  throwOnError: true,
  body: { credential: issued.data.secret },
});
const result: VerifyApiKeyResponse = data;
const path = { key_id: key.key_id };
const rotated = await api.adminRotateIssuedApiKey({ client, throwOnError: true, path });
await api.adminRevokeApiKey({
  client,
  throwOnError: true,
  path: { key_id: rotated.data.issued_api_key.key_id },
  body: { reason: 'REVOCATION_REASON_KEY_COMPROMISE' },
});
const listed = await api.adminListIssuedApiKeys({
  client,
  throwOnError: true,
  query: { page_size: 10, filter: 'actor_id="client"' },
});
const gone = await api.adminGetIssuedApiKey({ client, path: { key_id: 'none' }, throwOnError: false });
console.log(
  JSON.stringify({
    end,
    isValid: result.is_valid,
    remaining: result.rate_limit_remaining,
    listed: listed.data.issued_api_keys.map(({ status }) => status),
    reason: gone.error?.error.details[0]?.reason,
  }),
);
`;

let service: KeyServiceStack;
let description: Answer['body'];
beforeAll(async () => {
  service = await startKeyService({ EXTERNAL_URL: 'https://keys.example.com' });
  description = (await service.call('GET', '/openapi.json')).body;
});
afterAll(() => service.close());

describe('/openapi.json', () => {
  it('is the committed document, which the test of the code writes', () => {
    expect(JSON.parse(readFileSync(COMMITTED, 'utf8'))).toEqual(description);
  });

  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(description)).toEqual({ valid: true });
  });

  it('describes every existing route, and no other', async () => {
    for (const [path, operations] of Object.entries(description.paths as Record<string, object>)) {
      for (const method of Object.keys(operations)) {
        const url = path.replace('{key_id}', '01900000-0000-7000-8000-000000000000');
        const answer = await service.call(method.toUpperCase(), url);
        expect([method, path, reasonOf(answer)]).not.toEqual([method, path, 'NOT_FOUND']);
      }
    }
    const ids = Object.values(
      description.paths as Record<string, Record<string, { operationId: string }>>,
    ).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(ids.length);
    const references = [...JSON.stringify(description).matchAll(/#\/components\/schemas\/(\w+)/g)];
    for (const [, name] of references) {
      expect(description.components.schemas).toHaveProperty(name ?? '');
    }
  });

  it('rejects answers that it does not describe', () => {
    const checked = new ApiDescription(description);
    const headers = new Headers({ 'content-type': 'application/json' });
    const check = (status: number, body: unknown) => () =>
      checked.check('POST', '/v2alpha1/admin/apiKeys:verify', {
        status,
        headers,
        body,
        text: JSON.stringify(body),
      });
    expect(check(200, { is_valid: true })).toThrow(/must have required property 'status'/);
    expect(check(418, {})).toThrow(/418 is not described/);
    const error = { code: 503, status: 'UNAVAILABLE', message: 'x', details: [] };
    expect(check(503, { error })).not.toThrow();
    expect(check(503, { error, more: 1 })).toThrow(/must NOT have additional properties/);
  });
});

it('describes what every operation answers to a wrong body and to too large a head', async () => {
  const { url = '' } = service.replicas[0] ?? {};
  const headers = () => ({ authorization: `Bearer ${ADMIN_KEY}` });
  const { statuses, undescribed } = await answersToOddRequests(url, { headers });
  expect(undescribed).toEqual([]);
  expect([...statuses]).toEqual(expect.arrayContaining([400, 413, 415, 431]));
});

describe('the examples', () => {
  it('are requests that succeed, except those that need a credential of their own', async () => {
    const credentialNeeded = [
      'adminDeriveToken',
      'adminAuthorizePost',
      'exchangeToken',
      'reportGithubLeaks',
      'revokeApiKey',
    ];
    const statuses: Record<string, number> = {};
    for (const { operationId, path, body } of prefilledPosts(description as never)) {
      statuses[operationId] = (await service.call('POST', path, body)).status;
    }
    for (const id of credentialNeeded) expect(statuses[id]).toBeGreaterThanOrEqual(400);
    const others = Object.entries(statuses).filter(([id]) => !credentialNeeded.includes(id));
    expect(others.length).toBeGreaterThanOrEqual(6);
    expect(others.filter(([, status]) => status >= 300)).toEqual([]);
  });
});

describe('a client that is generated from the description', () => {
  it('compiles strictly and drives the service', () => {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-client-'));
    const run = (script: string, ...args: string[]) =>
      execFileSync(process.execPath, [script, ...args], { cwd: directory, encoding: 'utf8' });
    try {
      symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
      writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
      writeFileSync(join(directory, 'openapi.json'), JSON.stringify(description));
      writeFileSync(
        join(directory, 'generate.js'),
        `import { createClient } from '@hey-api/openapi-ts';
         const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'];
         const logs = { level: 'error' };
         await createClient({ input: './openapi.json', output: './client', plugins, logs });`,
      );
      run('generate.js');
      writeFileSync(join(directory, 'program.ts'), PROGRAM);
      const target = [
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--lib',
        'es2022,dom,dom.iterable',
      ];
      run(
        'node_modules/typescript/bin/tsc',
        '--strict',
        '--types',
        'node',
        ...target,
        'program.ts',
      );
      expect(JSON.parse(run('program.js', service.replicas[0]?.url ?? ''))).toEqual({
        end: expect.any(String),
        isValid: true,
        remaining: '4',
        reason: 'API_KEY_NOT_FOUND',
        listed: ['KEY_STATUS_REVOKED', 'KEY_STATUS_REVOKED'],
      });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
