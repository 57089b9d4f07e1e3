import assert from 'node:assert/strict';
import { eventually, okta } from '@gatehouse/testing';
import { type Directory, PATCHED, scimClient } from './directory-sync.js';
import { send } from './http.js';
import { type Stack, type Story } from './story.js';

interface Issued {
  secret: string;
}
interface Verification {
  is_valid: boolean;
  error_code: string;
  error_message: string;
}
interface Preview {
  keys: { name: string }[];
}

const PERSON = { userName: 'ada@example.com', givenName: 'Ada', familyName: 'Lovelace' };

/** A person leaves a directory, and the API key of that person stops. */
export async function showLeavers(story: Story, stack: Stack): Promise<void> {
  const { gateway } = stack.services;
  const keysUrl = gateway?.admin ?? stack.services['key-service']?.url ?? '';
  const management = `${gateway?.admin ?? stack.services['dsync-api']?.url ?? ''}/api/v1/dsync`;
  const scimUrl = gateway?.url ?? stack.services['dsync-api']?.url ?? '';
  const asKeysAdmin = { Authorization: `Bearer ${stack.credentials.keysAdminApiKey}` };
  const asDsyncAdmin = { Authorization: `Api-Key ${stack.credentials.dsyncApiKey}` };
  const tenant = `leavers-${Date.now().toString(36)}`;
  const scope = { tenant, product: 'shop' };
  const link = { ...scope, attribute: 'email', actor_prefix: `${tenant}:` };

  const keysAdmin = <Body>(path: string, json: object, expect = 200) =>
    send<Body>('POST', `${keysUrl}/v2alpha1/admin/${path}`, { headers: asKeysAdmin, json, expect });
  const putLink = (policy: object) =>
    send('PUT', `${management}/key-links`, { headers: asDsyncAdmin, json: { ...link, ...policy } });
  const verify = async (credential: string) =>
    (await keysAdmin<Verification>('apiKeys:verify', { credential })).body;

  story.part('4. Leavers', 'When a person leaves a directory, the keys of that person stop');
  const created = await send<{ data: Directory }>('POST', management, {
    headers: asDsyncAdmin,
    expect: 201,
    json: { ...scope, name: 'Demo leavers', type: okta.type },
  });
  const directory = created.body.data;
  const scim = scimClient(directory, okta.contentType, scimUrl);
  try {
    const { id, secret } = await story.step('Ada has an account and an API key', async (note) => {
      const { body } = await scim('POST', '/Users', { json: okta.user(PERSON), expect: 201 });
      const actor = `${tenant}:${PERSON.userName}`;
      const key = { name: "Ada's laptop", actor_id: actor };
      const issued = await keysAdmin<Issued>('issuedApiKeys', key, 201);
      note(`the key belongs to the actor ${actor}`);
      return { id: body.id, secret: issued.body.secret };
    });
    const patch = (json: object) => scim('PATCH', `/Users/${id}`, { json, expect: PATCHED });

    await story.step(
      'Link the directory with keys, and look what a policy would stop',
      async () => {
        await putLink({});
        await patch(okta.deactivate);
        const query = new URLSearchParams(scope).toString();
        const url = `${keysUrl}/v2alpha1/admin/directoryLinks:preview?${query}`;
        await eventually(async () => {
          const { body } = await send<Preview>('GET', url, { headers: asKeysAdmin });
          assert.deepEqual(
            body.keys.map(({ name }) => name),
            ["Ada's laptop"],
          );
        });
        assert.equal((await verify(secret)).is_valid, true);
        await patch(okta.reactivate);
      },
    );

    await story.step('Switch the policy on, and deactivate Ada', async (note) => {
      await putLink({ on_deactivate: 'pause', on_delete: 'revoke' });
      await patch(okta.deactivate);
      const startedAt = performance.now();
      const refused = await eventually(async () => {
        const result = await verify(secret);
        assert.equal(result.error_code, 'VERIFICATION_ERROR_PAUSED');
        return result;
      });
      const tookMs = (performance.now() - startedAt).toFixed(0);
      note(`refused ${tookMs} ms after the answer to Okta: ${refused.error_message}`);
    });

    await story.step('Reactivate her: the key works again', async () => {
      await patch(okta.reactivate);
      await eventually(async () => assert.equal((await verify(secret)).is_valid, true));
    });

    await story.step('Delete her: the key is revoked', async () => {
      await scim('DELETE', `/Users/${id}`, { expect: 204 });
      await eventually(async () =>
        assert.equal((await verify(secret)).error_code, 'VERIFICATION_ERROR_REVOKED'),
      );
    });
  } finally {
    const query = new URLSearchParams(scope).toString();
    const headers = asDsyncAdmin;
    await send('DELETE', `${management}/key-links?${query}`, { headers }).catch(() => undefined);
    await send('DELETE', `${management}/${directory.id}`, { headers }).catch(() => undefined);
  }
}
