import { generateKeyPairSync } from 'node:crypto';
import { KeyRing, IssuedSecretCodec } from '@gatehouse/crypto';
import { type JudgeAdministratorRequest } from '@gatehouse/schemas';
import { type FastifyRequest } from 'fastify';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { createLogger } from '../logging/logger.js';
import { type MessageClient } from '../exchange/message-client.js';
import { type Judgment, verdictSigner } from './admin-verdict.js';
import { RemoteAdminVerifier } from './remote-admin.verifier.js';

const KEY_ID = '01900000-0000-7000-8000-000000000000';
const SECRET = new IssuedSecretCodec(KeyRing.fromTexts(['h'.repeat(32)])).issue('gate_sk', KEY_ID);
const LIVE: Judgment = { outcome: 'live', sub: KEY_ID, actor_id: 'a', scopes: ['forms:read'] };
const refusal = (outcome: Judgment['outcome']): Judgment => ({ ...LIVE, outcome, scopes: [] });

const keyPair = () =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
const signer = keyPair();
const sign = verdictSigner(signer.privateKey);

/** A request of a client with this address. */
const from = (remoteAddress = '192.0.2.1') =>
  ({ raw: { headers: {}, socket: { remoteAddress } } }) as unknown as FastifyRequest;

const asked: JudgeAdministratorRequest[] = [];
afterEach(() => asked.splice(0));

/** A verifier of identity forms whose requests get this verdict. */
function verifier(
  verdictFor: (request: JudgeAdministratorRequest) => Promise<string>,
  publicKeys = signer.publicKey,
): RemoteAdminVerifier {
  const messages = {
    request: async (_pattern: string, request: JudgeAdministratorRequest) => {
      asked.push(request);
      return { verdict: await verdictFor(request) };
    },
  };
  const options = { service: 'identity-forms', publicKeys };
  return new RemoteAdminVerifier(
    messages as unknown as MessageClient,
    new ClientAddresses({ clientIpSource: 'socket', trustedProxies: [] }),
    options,
    createLogger('test', 'silent'),
  );
}

const judged = (judgment: Judgment) => verifier((question) => sign(judgment, here(question)));
const here = (question: JudgeAdministratorRequest) => ({ asker: 'identity-forms', ...question });

it('returns the holder of a live key, and sends the hash of the secret only', async () => {
  const holder = { keyId: KEY_ID, actorId: 'a', scopes: ['forms:read'] };
  await expect(judged(LIVE).verify(SECRET, from())).resolves.toEqual(holder);
  expect(asked).toMatchObject([{ key_id: KEY_ID, secret_sha256: expect.any(String) }]);
  expect(JSON.stringify(asked)).not.toContain(SECRET);
});

it('accepts the verdicts of both keys during a rotation', async () => {
  const publicKeys = `${keyPair().publicKey}\n${signer.publicKey}`;
  const subject = verifier((question) => sign(LIVE, here(question)), publicKeys);
  await expect(subject.verify(SECRET, from())).resolves.toMatchObject({ keyId: KEY_ID });
});

it('asks once about a key that is refused to a client, and sends the address', async () => {
  const subject = judged(refusal('refused'));
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) {
    await expect(subject.verify(SECRET, from(address))).resolves.toBeNull();
  }
  expect(asked.map(({ client_ip }) => client_ip)).toEqual(['192.0.2.1', '192.0.2.2']);
});

it.each([
  ['unavailable', 'unavailable'],
  ['rate_limited', 'rate_limited'],
] as const)('does not take %s for the end of a key', async (outcome, kind) => {
  await expect(judged(refusal(outcome)).verify(SECRET, from())).rejects.toMatchObject({ kind });
});

it.each([
  'junk',
  'gate_sk_v1_short_short',
  'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2ln',
  'mc_v1_AAAA',
  `${SECRET}x`.repeat(10),
])('does not ask about %s', async (credential) => {
  await expect(judged(LIVE).verify(credential, from())).resolves.toBeNull();
  expect(asked).toHaveLength(0);
});

it.each<[string, (request: JudgeAdministratorRequest) => Promise<string>]>([
  ['another signer', (question) => verdictSigner(keyPair().privateKey)(LIVE, here(question))],
  ['another request', (question) => sign(LIVE, here({ ...question, nonce: 'another' }))],
  ['another service', (question) => sign(LIVE, { ...question, asker: 'dsync-api' })],
  ['another key', (question) => sign(LIVE, here({ ...question, key_id: 'another' }))],
  ['another secret', (question) => sign(LIVE, here({ ...question, secret_sha256: 'another' }))],
  ['another address', (question) => sign(LIVE, here({ ...question, client_ip: '192.0.2.9' }))],
  ['no signer', () => Promise.resolve('eyJhbGciOiJub25lIn0.eyJvdXRjb21lIjoibGl2ZSJ9.')],
])('accepts no verdict of %s', async (_, verdictFor) => {
  await expect(verifier(verdictFor).verify(SECRET, from())).rejects.toMatchObject({
    kind: 'unavailable',
  });
});
