import assert from 'node:assert/strict';
import { type Benchmark, type HttpRow, type Load, type RunningServer } from '../runner/types.js';
import { JSON_HEADERS, keyService } from '../verify/sides.js';
import { AUDIENCE, type BenchIssuer, startIssuer, SUBJECT } from './issuer.js';

const KEYS = { keys: 1_000, secrets: 100 };
const SCOPES = ['orders:read', 'orders:write'];
let started: Promise<BenchIssuer> | undefined;
let load: Load | undefined;

export const benchmark: Benchmark = {
  title:
    'Exchange a token for a JWT, against a bare Fastify route that verifies and signs with jose',
  postgres: true,
  redis: true,
  rows: [
    rowOf('exchange of an OIDC token, RS256 for EdDSA', async (server) => {
      const issuer = await (started ??= startIssuer());
      await createRule(server, issuer);
      return exchanges('urn:ietf:params:oauth:token-type:jwt', issuer.tokens);
    }),
    rowOf('exchange of a key, EdDSA', (_server, { secrets }) =>
      exchanges('urn:gatehouse:params:oauth:token-type:api-key', secrets),
    ),
  ],
};

function rowOf(name: string, prepare: Parameters<typeof keyService>[1]): HttpRow {
  return {
    kind: 'http',
    name,
    aim: { ratio: 0.8 },
    // Each exchange waits until its audit event is on disk: enough requests to fill that wait.
    connections: 128,
    subject: keyService(
      KEYS,
      async (server, database) => (load = await prepare(server, database)),
      {
        env: { WEBHOOK_ALLOW_PRIVATE: 'true' },
      },
    ),
    floor: {
      name: 'bare Fastify and jose',
      script: 'dist/bench/token-exchange/floor.js',
      ready: '/ready',
      env: async ({ sample }) => ({
        NODE_ENV: 'production',
        ANSWER: sample?.body ?? '',
        KEYS: JSON.stringify((await started)?.keys ?? { keys: [] }),
      }),
      prepare: (_server, { sample }) => {
        assert.ok(load);
        const { requests, check } = load;
        return {
          requests,
          check: (response) => {
            check(response);
            assert.equal(response.body.length, sample?.body.length);
          },
        };
      },
    },
  };
}

async function createRule({ url }: RunningServer, issuer: BenchIssuer): Promise<void> {
  const response = await fetch(`${url}/v2alpha1/admin/trustRules`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify({
      name: 'Deployments',
      actor_id: 'octo-repo',
      scopes: SCOPES,
      issuer: issuer.url,
      audience: AUDIENCE,
      subject_pattern: SUBJECT,
    }),
  });
  assert.equal(response.status, 201);
}

function exchanges(type: string, tokens: readonly string[]): Load {
  return {
    requests: tokens.map((subject_token) => ({
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token,
        subject_token_type: type,
      }).toString(),
    })),
    check: ({ status, body }) => {
      assert.equal(status, 200);
      const answer = JSON.parse(body) as { access_token: string; scope: string };
      assert.equal(answer.access_token.split('.').length, 3);
      assert.equal(answer.scope, SCOPES.join(' '));
    },
  };
}
