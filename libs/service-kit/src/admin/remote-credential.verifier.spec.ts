import { type MessageClient } from '../messaging/messaging.module.js';
import { RemoteCredentialVerifier } from './remote-credential.verifier.js';

const answered = (result: object) =>
  new RemoteCredentialVerifier({
    request: () => Promise.resolve(result),
  } as unknown as MessageClient).verify('credential');

const holder = { key_id: 'k', actor_id: 'a', scopes: ['s'] };
const failed = (name: string) => ({
  ...holder,
  is_valid: false,
  error_code: `VERIFICATION_ERROR_${name}`,
});

it('returns the holder of a live credential', async () => {
  const known = { keyId: 'k', actorId: 'a', scopes: ['s'] };
  await expect(answered({ ...holder, is_valid: true })).resolves.toEqual(known);
});

it.each(['NOT_FOUND', 'REVOKED', 'EXPIRED', 'IP_NOT_ALLOWED'])(
  'returns no holder after %s',
  (name) => expect(answered(failed(name))).resolves.toBeNull(),
);

it.each([
  ['INTERNAL', 'unavailable'],
  ['RATE_LIMITED', 'rate_limited'],
])('does not take %s for the end of a credential', (name, kind) =>
  expect(answered(failed(name))).rejects.toMatchObject({ kind }),
);
