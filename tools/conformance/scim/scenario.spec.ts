import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { caseFile } from './case-files.mjs';
import { encoded } from './http-exchange.mjs';
import { failureLines, reasonLines } from './report.mjs';
import { runIndependent, runScenario } from './scenario.mjs';

/** A server that stores what is posted and remembers how it was asked. */
let server: Server;
let asked: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
const created: string[] = [];

beforeEach(async () => {
  asked = [];
  created.length = 0;
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      asked.push({ method, url, headers, body });
      response.setHeader('content-type', 'application/scim+json');
      if (url.endsWith('/ServiceProviderConfig')) {
        response.end(JSON.stringify({ etag: { supported: true }, sort: { supported: false } }));
      } else if (method === 'POST') {
        response.statusCode = 201;
        response.end(JSON.stringify({ id: 'r1', ...(JSON.parse(body || '{}') as object) }));
      } else {
        response.statusCode = url.endsWith('/r1') ? 200 : 404;
        response.end(JSON.stringify({ id: 'r1' }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const directories = () => ({
  create: (type: string) => {
    created.push(type);
    const { port } = server.address() as AddressInfo;
    const base = `http://127.0.0.1:${port}/d${created.length}`;
    return Promise.resolve({ id: `d${created.length}`, base, secret: `secret${created.length}` });
  },
  deleteAll: () => Promise.resolve(),
});

const scenario = (name: string, steps: object[]) =>
  runScenario(caseFile(name, JSON.stringify({ steps })), directories());

const get = (id: string, path: string, expect: object, rest: object = {}) => ({
  id,
  request: { method: 'GET', path },
  expect,
  ...rest,
});

describe('runScenario', () => {
  it('shares what a step captured, also with the checks of that step', async () => {
    const outcomes = await scenario('s', [
      {
        id: 'S1',
        request: { method: 'POST', path: '/Users', body: { userName: '{{uniq}}' } },
        expect: { status: [201], json: [{ path: 'id', op: 'equal', value: '{{a}}' }] },
        capture: { a: 'id' },
      },
      get('S2', '/Users/{{a}}', { status: [200] }),
    ]);
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
    expect(asked.map(({ url }) => url)).toEqual(['/d1/Users', '/d1/Users/r1']);
    expect(asked[0]?.headers['content-type']).toBe('application/scim+json');
    expect(asked[0]?.headers.authorization).toBe('Bearer secret1');
  });

  it('fails a step that needs what no step gave, and goes on', async () => {
    const outcomes = await scenario('s', [
      get('S1', '/Users/{{gone}}', { status: [200] }),
      get('S2', '/Users/r1', { status: [200] }),
    ]);
    expect(outcomes).toMatchObject([
      { id: 'S1', verdict: 'failed', faults: ['nothing was captured as gone'] },
      { id: 'S2', verdict: 'passed' },
    ]);
  });

  it('sends a request without a header that is null', async () => {
    await scenario('s', [
      {
        id: 'S1',
        request: { method: 'GET', path: '/x', headers: { authorization: null } },
        expect: { status: [404] },
      },
    ]);
    expect(asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it('runs conditional steps by what the service announces', async () => {
    const outcomes = await scenario('s', [
      get('S1', '/ServiceProviderConfig', { status: [200] }, { capture: { spc: '$' } }),
      get('S2', '/Users/r1', { status: [200] }, { when: 'etag.supported' }),
      get('S3', '/Users/r1', { status: [200] }, { when: 'sort.supported' }),
      get('S4', '/Users/r1', { status: [200] }, { when: '!sort.supported' }),
      get('S5', '/Users/r1', { status: [200] }, { when: 'indirectGroups' }),
    ]);
    expect(outcomes.map(({ verdict }) => verdict)).toEqual([
      'passed',
      'passed',
      'notApplicable',
      'passed',
      'notApplicable',
    ]);
    expect(outcomes[2]?.reason).toBe('only for a service with sort.supported');
  });

  it('makes a second directory only where a case speaks of it', async () => {
    await scenario('s', [get('S1', '/x', { status: [404] })]);
    await scenario('ms-s', [get('S1', '{{base2}}/x', { status: [404] }, { note: '{{token2}}' })]);
    expect(created).toEqual(['generic-scim-v2', 'azure-scim-v2', 'azure-scim-v2']);
    expect(asked[1]?.url).toBe('/d3/x');
  });

  it('runs a case as a ruling wants it, says why, and fails when that does not come', async () => {
    const patch = { method: 'PATCH', path: '/Users/nobody', body: {} };
    const minimal = { id: 'MS55', request: patch, expect: { status: [404] } };
    const outcomes = await scenario('ms-reference-postman', [minimal]);
    expect(asked[0]?.headers['prefer']).toBe('return=minimal');
    expect(outcomes[0]?.verdict).toBe('ruled');
    const lines = reasonLines([{ name: 'ms-reference-postman', outcomes }]);
    expect(lines[0]).toMatch(/^By ruling: .*return=minimal/);
    expect(lines[1]).toBe('  ms-reference-postman/MS55');

    const kept = { id: 'RH171', request: patch, expect: { status: [400] } };
    const [failed] = await scenario('rfc-http', [kept]);
    expect(failed).toMatchObject({ verdict: 'failed', faults: [expect.stringContaining('200')] });
  });
});

describe('runIndependent', () => {
  it('gives each case a directory of its provider, a set-up and a look afterwards', async () => {
    const cases = [
      {
        id: 'C1',
        idp: 'OneLogin',
        setup: [{ request: { method: 'POST', path: '/Users', body: {} }, capture: { u: 'id' } }],
        request: { method: 'PATCH', path: '/Users/{{u}}', body: {} },
        expect: { status: [200] },
        after: [
          { method: 'GET', path: '/Users/{{u}}', json: [{ path: 'id', op: 'equal', value: 'r2' }] },
        ],
      },
      {
        id: 'C2',
        idp: 'Okta',
        request: { method: 'GET', path: '/Users/r1' },
        expect: { status: [200] },
      },
    ];
    const outcomes = await runIndependent(caseFile('c', JSON.stringify({ cases })), directories());
    expect(created).toEqual(['onelogin-scim-v2', 'okta-scim-v2']);
    expect(failureLines([{ name: 'c', outcomes }])).toEqual([
      'FAILED c/C1: afterwards expected id equal "r2", came "r1"',
    ]);
  });
});

describe('encoded', () => {
  it('encodes what a request line cannot hold and leaves percent signs alone', () => {
    expect(encoded('/Users?filter=a eq "é"&x=%20+[1]')).toBe(
      '/Users?filter=a%20eq%20%22%C3%A9%22&x=%20+[1]',
    );
    expect(encoded('/Users/..%2fx//')).toBe('/Users/..%2fx//');
  });
});
