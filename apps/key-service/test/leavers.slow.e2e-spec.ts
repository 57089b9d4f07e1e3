/** The keys of people who leave a directory stop on every replica, and only what this stopped works again. */
import { type PersonState } from '@gatehouse/schemas';
import { eventually } from '@gatehouse/testing';
import { type KeyServiceStack, startKeyService } from './key-stack.js';
import { PAUSED, REVOKED, leaversOf } from './leavers-stack.js';
import { portalOf, PUBLIC } from './portal-browser.js';

let service: KeyServiceStack;
const { newName, directory, keyOf, isRefused, works, read, act, auditOf, close } = leaversOf(
  () => service,
);
const portal = portalOf(() => service);

beforeAll(async () => {
  service = await startKeyService({ EXTERNAL_URL: PUBLIC }, 2);
});
afterAll(async () => {
  await close();
  await service.close();
});

describe('when a person is deactivated', () => {
  it('keys and the tokens derived from them are refused on every replica, and work again later', async () => {
    const acme = directory();
    const actor = newName('kim');
    const keys = [await keyOf(actor, { scopes: ['a'] }), await keyOf(actor)];
    const jwt = await service.tokenOf(keys[0]?.secret ?? '');
    const macaroon = await service.tokenOf(keys[0]?.secret ?? '', {
      algorithm: 'TOKEN_ALGORITHM_MACAROON',
    });
    const credentials = [...keys.map(({ secret }) => secret), jwt, macaroon];
    for (const credential of credentials) await works(credential);

    expect(await acme.is('inactive', actor)).toEqual({ is_done: true });
    for (const credential of credentials) await isRefused(credential, PAUSED);
    expect((await service.verify(jwt)).body).toMatchObject({
      is_valid: false,
      actor_id: actor,
      error_message: expect.stringContaining('its actor left'),
    });

    await acme.is('active', actor);
    for (const credential of credentials) await works(credential);
  });

  it('trust rules of the actor stop too', async () => {
    const acme = directory();
    const actor = newName('deployments');
    const { body: rule } = await service.admin('POST', '/trustRules', {
      name: 'CI',
      actor_id: actor,
      scopes: ['a'],
      issuer: 'https://issuer.example.com',
      audience: 'keys',
      subject_pattern: 'repo:octo-org/octo-repo:*',
    });
    const status = async () =>
      (await service.admin('GET', `/trustRules/${rule.key_id}`)).body.status as string;
    expect(await status()).toBe('KEY_STATUS_ACTIVE');
    await acme.is('inactive', actor);
    expect(await status()).toBe('KEY_STATUS_PAUSED');
  });

  it('the key, its event and the audit log name the person', async () => {
    const acme = directory();
    const actor = newName('kim');
    const key = await keyOf(actor);
    const leaver = { cause: 'directory', directory_id: acme.source_id, user_id: actor };
    await acme.is('inactive', actor);
    expect(await read(key)).toMatchObject({ status: 'KEY_STATUS_PAUSED', leaver });
    const [paused] = await auditOf(`key_id="${key.id}" AND type="key.paused"`);
    expect(paused).toMatchObject({ caller: 'directory-link', actor_id: actor, details: leaver });
    const [event] = await service.database.query<{ data: object }>(
      `SELECT data FROM keys.events WHERE type = 'key.paused' AND data ->> 'key_id' = $1`,
      [key.id],
    );
    expect(event?.data).toMatchObject({ ...leaver, status: 'KEY_STATUS_PAUSED' });
    await acme.is('active', actor);
    expect(await read(key)).not.toHaveProperty('leaver');
    const [resumed] = await auditOf(`key_id="${key.id}" AND type="key.resumed"`);
    expect(resumed).toMatchObject({ details: leaver });
  });

  it('portal sessions end, opened or not, and stay ended', async () => {
    const acme = directory();
    const actor = newName('kim');
    const opened = await portal.openSession({ actor_id: actor });
    const unopened = await portal.createSession({ actor_id: actor });
    expect((await opened.send('GET', '/portal/keys')).status).toBe(200);
    await acme.is('inactive', actor);
    await acme.is('active', actor);
    expect((await opened.send('GET', '/portal/keys')).status).toBe(410);
    expect((await portal.browserOf().send('POST', unopened.path, {})).status).toBe(410);
    const ended = await auditOf(`actor_id="${actor}" AND type="portal_session.revoked"`);
    expect(ended.map(({ details }) => details.cause)).toEqual(['directory', 'directory']);
  });

  it('only what this paused works again', async () => {
    const acme = directory();
    const actor = newName('kim');
    const [before, after, resumed, stopped] = [
      await keyOf(actor),
      await keyOf(actor),
      await keyOf(actor),
      await keyOf(actor),
    ];
    await act(before, 'pause');
    await acme.is('inactive', actor);
    // An administrator takes over one pause, and ends another.
    await act(after, 'pause');
    await act(resumed, 'resume');
    await works(resumed.secret);
    // The person changes in other ways, and stays away.
    await acme.is('inactive', actor);
    await works(resumed.secret);
    await acme.is('active', actor);
    await works(stopped.secret);
    for (const key of [before, after]) {
      await isRefused(key.secret, PAUSED);
      expect(await read(key)).not.toHaveProperty('leaver');
    }
  });

  it('a key that is being rotated does not survive', async () => {
    const acme = directory();
    const actors = Array.from({ length: 20 }, () => newName('rotating'));
    const keys = await Promise.all(actors.map((actor) => keyOf(actor)));
    await Promise.all([
      ...keys.map(({ id }) => service.admin('POST', `/issuedApiKeys/${id}:rotate`, {})),
      ...actors.map((actor) => acme.is('inactive', actor)),
    ]);
    const alive = await service.database.query(
      `SELECT key_id FROM keys.api_keys WHERE actor_id = ANY ($1) AND revoke_time IS NULL
        AND pause_time IS NULL`,
      [actors],
    );
    expect(alive).toEqual([]);
  });

  it('thousands of keys of an actor stop, and work again', async () => {
    const acme = directory();
    const actor = newName('many');
    const { id } = await keyOf(actor);
    await service.database.query(
      `INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
          allowed_cidrs, secret_hash, key_preview, create_time, update_time)
        SELECT gen_random_uuid()::text, kind, name, actor_id, scopes, metadata, visibility,
          allowed_cidrs, sha256(n::text::bytea), key_preview, create_time, update_time
        FROM keys.api_keys, generate_series(1, 6500) n WHERE key_id = $1`,
      [id],
    );
    const paused = async () => {
      const rows = await service.database.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM keys.api_keys
          WHERE actor_id = $1 AND pause_time IS NOT NULL`,
        [actor],
      );
      return rows[0]?.count;
    };
    const send = async (state: PersonState) => {
      const people = [acme.person(actor, [actor], state)];
      await eventually(async () => expect(await acme.send({ people })).toEqual({ is_done: true }));
    };
    await send('inactive');
    expect(await paused()).toBe(6501);
    await send('active');
    expect(await paused()).toBe(0);
  });
});

describe('a person in two directories of a tenant', () => {
  it('stays while one of them has it active', async () => {
    const acme = directory();
    const other = directory({ on_deactivate: 'pause' }, acme.tenant);
    const actor = newName('kim');
    const { secret } = await keyOf(actor);
    await acme.is('active', actor);
    await other.is('active', actor);
    await acme.is('inactive', actor);
    await works(secret);
    await other.is('inactive', actor);
    await isRefused(secret, PAUSED);
    await acme.is('active', actor);
    await works(secret);
  });

  it('stops when both deactivate it at once', async () => {
    const acme = directory();
    const other = directory({ on_deactivate: 'pause' }, acme.tenant);
    const actors = Array.from({ length: 30 }, () => newName('kim'));
    const keys = await Promise.all(actors.map((actor) => keyOf(actor)));
    for (const each of [acme, other]) await each.is('active', ...actors);
    await Promise.all(
      actors.flatMap((actor) => [acme.is('inactive', actor), other.is('inactive', actor)]),
    );
    const states = await Promise.all(keys.map(async (key) => (await read(key)).status as string));
    expect(new Set(states)).toEqual(new Set(['KEY_STATUS_PAUSED']));
  });

  it('a directory of another tenant neither keeps its keys nor gives them back', async () => {
    const acme = directory();
    const hostile = directory();
    const actor = newName('kim');
    const { secret } = await keyOf(actor);
    await hostile.is('active', actor);
    await acme.is('inactive', actor);
    await isRefused(secret, PAUSED);
    await hostile.is('inactive', actor);
    await hostile.is('active', actor);
    await isRefused(secret, PAUSED);
  });
});

describe('a person who is deleted', () => {
  it('loses keys for good if the link says so, with a reason and an hour to undo it', async () => {
    const acme = directory({ on_deactivate: 'pause', on_delete: 'revoke' });
    const actor = newName('kim');
    const key = await keyOf(actor);
    await acme.is('inactive', actor);
    await acme.is('deleted', actor);
    await isRefused(key.secret, REVOKED);
    expect(await read(key)).toMatchObject({
      revocation_reason: 'REVOCATION_REASON_AFFILIATION_CHANGED',
      leaver: { cause: 'directory', user_id: actor },
    });
    await acme.is('active', actor);
    await isRefused(key.secret, REVOKED);
    expect((await act(key, 'undelete')).status).toBe(200);
  });

  it('comes back as another user, and so do the keys', async () => {
    const acme = directory({ on_delete: 'pause' });
    const actor = newName('kim');
    const { secret } = await keyOf(actor);
    await acme.is('deleted', actor);
    await isRefused(secret, PAUSED);
    await acme.send({ people: [acme.person('new-user', [actor], 'active')] });
    await works(secret);
  });

  it('keeps keys while the policy is off', async () => {
    const acme = directory({ on_deactivate: 'pause' });
    const actor = newName('kim');
    const { secret } = await keyOf(actor);
    await acme.is('deleted', actor);
    await works(secret);
  });
});

describe('an actor', () => {
  it('follows the person who has it now, not one who had it once', async () => {
    const acme = directory();
    const [shared, own] = [newName('alice'), newName('kim')];
    const { secret } = await keyOf(shared);
    await acme.send({ people: [acme.person('kim', [shared], 'active')] });
    await acme.send({ people: [acme.person('kim', [own], 'active')] });
    await acme.send({ people: [acme.person('alice', [shared], 'active')] });
    await acme.send({ people: [acme.person('alice', [shared], 'inactive')] });
    await isRefused(secret, PAUSED);
  });

  it('that several tenants know works while no tenant stops it', async () => {
    const acme = directory();
    const other = directory({ on_delete: 'pause' });
    const actor = newName('kim');
    const { secret } = await keyOf(actor);
    await acme.is('inactive', actor);
    await other.is('deleted', actor);
    await acme.is('active', actor);
    await isRefused(secret, PAUSED);
    await other.is('active', actor);
    await works(secret);
  });

  it('whom an administrator paused stays paused after a revocation is undone', async () => {
    const acme = directory({ on_delete: 'revoke' });
    const actor = newName('kim');
    const key = await keyOf(actor);
    await act(key, 'pause');
    await acme.is('deleted', actor);
    await isRefused(key.secret, REVOKED);
    await act(key, 'undelete');
    await acme.is('active', actor);
    await isRefused(key.secret, PAUSED);
  });

  it('that very many people share costs others nothing', async () => {
    const acme = directory();
    const actor = newName('shared');
    await acme.is('active', 'first');
    await service.database.query(
      `INSERT INTO keys.people (source_id, user_id, actor_id, tenant, product, state, identity, named,
          sequence, applied)
        SELECT source_id, 'u' || n, $2, tenant, product, 'inactive', identity, 1, 1, 'pause'
        FROM keys.people, generate_series(1, 60000) n WHERE source_id = $1`,
      [acme.source_id, actor],
    );
    const key = await keyOf(actor);
    const people = [acme.person('last', [actor], 'inactive')];
    await eventually(async () => expect(await acme.send({ people })).toEqual({ is_done: true }));
    await isRefused(key.secret, PAUSED);
  });
});
