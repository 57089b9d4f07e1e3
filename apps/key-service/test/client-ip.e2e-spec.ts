/** A program that checks credentials of its clients names the address of the client itself. */
import { attenuateMacaroon } from '@gatehouse/crypto';
import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';

let service: KeyServiceStack;
let bound: string;
let boundToLoopback: string;

beforeAll(async () => {
  service = await startKeyService();
  const secretFor = async (...allowed_cidrs: string[]) =>
    (await service.issue({ ip_restriction: { allowed_cidrs } })).secret;
  bound = await secretFor('10.0.0.0/8', '2001:db8::/32');
  boundToLoopback = await secretFor('127.0.0.0/8');
});
afterAll(() => service.close());

const REFUSED = 'VERIFICATION_ERROR_IP_NOT_ALLOWED';
const CASES = [
  ['10.1.2.3', undefined],
  ['::ffff:10.1.2.3', undefined],
  ['2001:DB8:0::7', undefined],
  ['192.0.2.7', REFUSED],
  ['2001:db9::7', REFUSED],
] as const;
const INVALID = ['', ' 10.1.2.3', '10.1.2', '010.1.2.3', '10.0.0.0/8', 'fe80::1%eth0', 'localhost'];

const authorize = (credential: string, query: string) =>
  service.admin('GET', `/apiKeys:authorize${query}`, undefined, {
    headers: { 'x-api-key': credential },
  });
const errorsOfBatch = async (requests: readonly object[]) => {
  const { body } = await service.admin('POST', '/apiKeys:batchVerify', { requests });
  return (body.results as { error_code?: string }[]).map(({ error_code }) => error_code);
};

describe('client_ip', () => {
  it('is the address that verify and batchVerify compare, first from the store, then from memory', async () => {
    for (let round = 0; round < 2; round += 1) {
      for (const [client_ip, error] of CASES) {
        expect([client_ip, await service.errorOf(bound, { client_ip })]).toEqual([
          client_ip,
          error,
        ]);
      }
    }
    expect(await service.errorOf(bound, { clientIp: '10.1.2.3' })).toBeUndefined();
    const requests = CASES.map(([client_ip]) => ({ credential: bound, client_ip }));
    expect(await errorsOfBatch(requests)).toEqual(CASES.map(([, error]) => error));
  });

  it('replaces the address of the connection, which counts when it is null or left out', async () => {
    const client_ip = '192.0.2.7';
    expect(await service.errorOf(boundToLoopback, { client_ip })).toBe(REFUSED);
    expect(await service.errorOf(boundToLoopback, { client_ip: null })).toBeUndefined();
    expect(await service.errorOf(boundToLoopback)).toBeUndefined();
    const mixed = [{ credential: boundToLoopback, client_ip }, { credential: boundToLoopback }];
    expect(await errorsOfBatch(mixed)).toEqual([REFUSED, undefined]);
    expect((await authorize(boundToLoopback, `?client_ip=${client_ip}`)).status).toBe(403);
    expect((await authorize(boundToLoopback, '')).status).toBe(200);
  });

  it('in the query is the address that :authorize compares', async () => {
    for (const [address, error] of CASES) {
      const { status } = await authorize(bound, `?client_ip=${encodeURIComponent(address)}`);
      expect([address, status]).toEqual([address, error === undefined ? 200 : 403]);
    }
    const appended = await authorize(bound, '?path=/orders?x=1&client_ip=10.1.2.3');
    expect(appended.status).toBe(403);
  });

  it('counts for derived tokens and their caveats, and for deriving them', async () => {
    const algorithm = 'TOKEN_ALGORITHM_MACAROON';
    expect((await service.derive(bound)).status).toBe(401);
    expect((await service.derive(bound, { client_ip: '192.0.2.7' })).status).toBe(401);
    const token = await service.tokenOf(bound, { algorithm, client_ip: '10.1.2.3' });
    const narrowed = attenuateMacaroon(token, ['ip = 10.1.0.0/16']);
    expect(await service.errorOf(narrowed, { client_ip: '10.1.2.3' })).toBeUndefined();
    expect(await service.errorOf(narrowed, { client_ip: '10.2.2.3' })).toBe(REFUSED);
    const jwt = await service.tokenOf(boundToLoopback);
    expect(await service.errorOf(jwt, { client_ip: '192.0.2.7' })).toBe(REFUSED);
  });

  it.each([...INVALID, 7, ['10.1.2.3'], {}])('400 for %j', async (client_ip) => {
    const item = { credential: bound, client_ip };
    for (const [path, body, field] of [
      ['/apiKeys:verify', item, 'client_ip'],
      ['/apiKeys:derive', item, 'client_ip'],
      [
        '/apiKeys:batchVerify',
        { requests: [{ credential: bound }, item] },
        'requests[1].client_ip',
      ],
    ] as const) {
      const answer = await service.admin('POST', path, body);
      expect([path, answer.status, namedFields(answer)]).toEqual([path, 400, [field]]);
    }
  });

  it.each([
    ...INVALID.map((address) => `?client_ip=${encodeURIComponent(address)}`),
    '?client_ip=10.1.2.3&client_ip=10.1.2.3',
  ])('400 for :authorize%s', async (query) => {
    const answer = await authorize(bound, query);
    expect([answer.status, namedFields(answer)]).toEqual([400, ['client_ip']]);
  });

  it('is no field of the public surface', async () => {
    const body = { credential: 'x', client_ip: '10.1.2.3' };
    const answer = await service.call('POST', '/v2alpha1/apiKeys:selfRevoke', body);
    expect([answer.status, namedFields(answer)]).toEqual([400, ['client_ip']]);
  });
});
