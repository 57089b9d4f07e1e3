/** The keys of people who leave a directory stop on every replica, and only what this stopped works again. */
import { type Exchange, redisExchange } from '@gatehouse/kit/exchange';
import { createLogger } from '@gatehouse/nest-kit/logging';
import {
  type ApplyPeopleReply,
  type ApplyPeopleRequest,
  type LinkAction,
  MessagePatterns,
  type PersonState,
} from '@gatehouse/schemas';
import { type Answer, checkPayload, CONTROL_PLANE, eventually } from '@gatehouse/testing';
import { randomUUID } from 'node:crypto';
import { portalOf, PUBLIC } from './portal-browser.js';
import { type KeyServiceStack, startKeyService } from './key-stack.js';

let service: KeyServiceStack;
let worker: Exchange;
let sequence = 0;
let names = 0;

const exchangeOf = (name: string) =>
  redisExchange({
    redis: service.redis,
    service: name,
    messageKeys: [CONTROL_PLANE.MESSAGE_KEYS],
    logger: createLogger('test', 'silent'),
  });

beforeAll(async () => {
  service = await startKeyService({ EXTERNAL_URL: PUBLIC }, 2);
  worker = exchangeOf('dsync-worker');
});
afterAll(async () => {
  await worker?.close();
  await service.close();
});

const portal = portalOf(() => service);
const newName = (text: string) => `${text}-${(names += 1)}`;
const nextSequence = () => String((sequence += 1));

type Policy = Partial<Record<'on_deactivate' | 'on_delete', LinkAction>> & {
  revision?: number;
  actor_prefix?: string;
};

/** A directory of a tenant of its own, unless one is named. */
function directory(policy: Policy = { on_deactivate: 'pause' }, tenant = newName('tenant')) {
  const source = { source_id: randomUUID(), tenant, product: 'app' };
  const link = {
    revision: 1,
    attribute: 'email',
    actor_prefix: '',
    email_domains: [],
    on_deactivate: 'off',
    on_delete: 'off',
    ...policy,
  } as const;
  const send = (more: Partial<ApplyPeopleRequest>, by: Exchange = worker) =>
    request({ ...source, link, people: [], snapshot: null, ...more }, by);
  const person = (user: string, actors: string[], state: PersonState, at = nextSequence()) => ({
    user_id: user,
    actor_ids: actors,
    state,
    sequence: at,
  });
  return {
    ...source,
    link,
    send,
    person,
    /** A change of the user whose id is that of the actor. */
    is: (state: PersonState, ...actors: string[]) =>
      send({ people: actors.map((actor) => person(actor, [actor], state)) }),
    /** The source is no longer linked. */
    forget: (asOf = nextSequence()) =>
      send({ link: null, snapshot: { as_of: asOf, is_complete: true } }),
    /** A snapshot of all people: actors by state, with the link as it is now. */
    snapshot: (people: ReturnType<typeof person>[], changed: Policy = {}, asOf = nextSequence()) =>
      send({
        link: { ...link, ...changed },
        people: people.map((each) => ({ ...each, sequence: asOf })),
        snapshot: { as_of: asOf, is_complete: true },
      }),
  };
}

async function request(payload: ApplyPeopleRequest, by: Exchange): Promise<ApplyPeopleReply> {
  const { applyPeople } = MessagePatterns;
  checkPayload(applyPeople, 'request', payload);
  const reply = (await by.messages.request(applyPeople, payload, 10_000)) as ApplyPeopleReply;
  checkPayload(applyPeople, 'reply', reply);
  return reply;
}

async function keyOf(actor: string, fields: Record<string, unknown> = {}) {
  const { secret, key } = await service.issue({ actor_id: actor, ...fields });
  return { secret, id: key.key_id as string };
}
type Key = Awaited<ReturnType<typeof keyOf>>;

/** The errors of a credential on both replicas, which have it in memory after the first look. */
const errorsOf = (secret: string) =>
  Promise.all(
    [0, 1].map(async (replica) => errorIn(await service.verify(secret, {}, { replica }))),
  );
const errorIn = ({ body }: Answer) => body.error_code as string | undefined;
const isRefused = (secret: string, error: string) =>
  eventually(async () => expect(await errorsOf(secret)).toEqual([error, error]));
const works = (secret: string) =>
  eventually(async () => expect(await errorsOf(secret)).toEqual([undefined, undefined]));
const PAUSED = 'VERIFICATION_ERROR_PAUSED';
const REVOKED = 'VERIFICATION_ERROR_REVOKED';

const read = async ({ id }: Key) => (await service.admin('GET', `/issuedApiKeys/${id}`)).body;
const act = (key: Key, action: 'pause' | 'resume' | 'undelete') =>
  service.admin('POST', `/apiKeys/${key.id}:${action}`);
const auditOf = async (filter: string) => {
  const query = `filter=${encodeURIComponent(filter)}`;
  return (await service.admin('GET', `/auditEvents?${query}`)).body
    .audit_events as Answer['body'][];
};

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

describe('changes', () => {
  it('that are repeated or outdated change nothing', async () => {
    const acme = directory();
    const actor = newName('kim');
    const key = await keyOf(actor);
    const old = acme.person('u', [actor], 'active');
    const left = acme.person('u', [actor], 'inactive');
    await acme.send({ people: [old, left] });
    await isRefused(key.secret, PAUSED);
    await acme.send({ people: [old] });
    await acme.snapshot([acme.person('u', [actor], 'active')], {}, old.sequence);
    await isRefused(key.secret, PAUSED);
    await act(key, 'resume');
    await acme.send({ people: [left] });
    await works(key.secret);
  });

  it('follow a person under its former actors', async () => {
    const acme = directory();
    const [maiden, married] = [newName('kim'), newName('kim')];
    const keys = [await keyOf(maiden), await keyOf(married)];
    await acme.send({ people: [acme.person('u', [maiden], 'active')] });
    await acme.send({ people: [acme.person('u', [married], 'active')] });
    await acme.send({ people: [acme.person('u', [married], 'inactive')] });
    for (const { secret } of keys) await isRefused(secret, PAUSED);
    // A new person with the former address has the keys back.
    await acme.send({ people: [acme.person('v', [maiden], 'active')] });
    await works(keys[0]?.secret ?? '');
    await isRefused(keys[1]?.secret ?? '', PAUSED);
  });

  it('are taken from the worker only', async () => {
    const acme = directory();
    const api = exchangeOf('dsync-api');
    const people = [acme.person('u', [newName('kim')], 'inactive')];
    await expect(acme.send({ people }, api)).rejects.toThrow();
    await api.close();
  });
});

describe('a snapshot', () => {
  it('finds who left before the link was made, or is gone from the directory', async () => {
    const acme = directory({ on_deactivate: 'pause', on_delete: 'pause' });
    const [active, inactive, gone] = [newName('a'), newName('b'), newName('c')];
    const keys = [await keyOf(active), await keyOf(inactive), await keyOf(gone)];
    await acme.is('active', gone);
    await acme.snapshot([
      acme.person('a', [active], 'active'),
      acme.person('b', [inactive], 'inactive'),
    ]);
    await works(keys[0]?.secret ?? '');
    await isRefused(keys[1]?.secret ?? '', PAUSED);
    await isRefused(keys[2]?.secret ?? '', PAUSED);
  });

  it('applies a policy that is switched on to those who have left, once', async () => {
    const acme = directory({});
    const actor = newName('kim');
    const key = await keyOf(actor);
    const people = [acme.person('u', [actor], 'inactive')];
    await acme.snapshot(people);
    await works(key.secret);
    await acme.snapshot(people, { revision: 2, on_deactivate: 'pause' });
    await isRefused(key.secret, PAUSED);
    await act(key, 'resume');
    await acme.snapshot(people, { revision: 3, on_deactivate: 'pause', on_delete: 'pause' });
    await works(key.secret);
  });

  it('of a link that was deleted makes the service forget, and stops and resumes nothing', async () => {
    const acme = directory();
    const actor = newName('kim');
    const { secret } = await keyOf(actor);
    await acme.is('inactive', actor);
    expect(await acme.forget()).toEqual({ is_done: true });
    const left = await service.database.query('SELECT FROM keys.people WHERE source_id = $1', [
      acme.source_id,
    ]);
    expect(left).toEqual([]);
    await isRefused(secret, PAUSED);
  });
});

describe('a source that is no longer linked', () => {
  it('is not brought back by an event or a forgetting that comes late', async () => {
    const acme = directory();
    const actor = newName('kim');
    const { secret } = await keyOf(actor);
    const late = { people: [acme.person('u', [actor], 'active')] };
    await acme.send(late);
    const forgotten = nextSequence();
    await acme.forget(forgotten);
    await acme.send(late);
    const next = directory({ on_deactivate: 'pause' }, acme.tenant);
    await next.is('inactive', actor);
    await isRefused(secret, PAUSED);
    // The directory is linked anew, and then its people are forgotten again by the former request.
    await acme.snapshot([acme.person('u', [actor], 'active')], { revision: 2 });
    await works(secret);
    await acme.forget(forgotten);
    await acme.send({ people: [acme.person('u', [actor], 'inactive')] });
    await isRefused(secret, PAUSED);
  });

  it('leaves the decision to the directories that are left', async () => {
    const acme = directory();
    const other = directory({ on_deactivate: 'pause' }, acme.tenant);
    const actor = newName('kim');
    const { secret } = await keyOf(actor);
    for (const each of [acme, other]) await each.is('active', actor);
    await acme.is('inactive', actor);
    await works(secret);
    await other.forget();
    await isRefused(secret, PAUSED);
    // Another one takes its place.
    await acme.forget();
    const next = directory({ on_deactivate: 'pause' }, acme.tenant);
    await next.snapshot([next.person('v', [actor], 'active')]);
    await works(secret);
  });
});

describe('a link that is changed', () => {
  it('no longer reaches actors beyond its new bounds', async () => {
    const acme = directory({});
    const foreign = newName('foreign');
    const { secret } = await keyOf(foreign);
    const before = { people: [acme.person('u', [foreign], 'active')] };
    await acme.snapshot(before.people);
    const bound = { revision: 2, actor_prefix: 'acme:', on_deactivate: 'pause' } as const;
    await acme.snapshot([acme.person('u', [`acme:${foreign}`], 'active')], bound);
    // A request that was made by the former link comes late.
    await acme.send({ people: [acme.person('u', [foreign], 'active')] });
    await acme.send({
      link: { ...acme.link, ...bound },
      people: [acme.person('u', [`acme:${foreign}`], 'inactive')],
    });
    expect(await errorsOf(secret)).toEqual([undefined, undefined]);
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

describe('administrators', () => {
  it('see the people behind an actor, and why its keys are in their state', async () => {
    const acme = directory();
    const [maiden, married] = [newName('kim'), newName('kim')];
    const key = await keyOf(maiden);
    await acme.send({ people: [acme.person('u', [maiden], 'active')] });
    await acme.send({ people: [acme.person('u', [married], 'inactive')] });
    const { body } = await service.admin('GET', `/actors/${maiden}`);
    expect(body.people).toEqual([
      {
        source: 'directory',
        directory_id: acme.source_id,
        user_id: 'u',
        tenant: acme.tenant,
        product: 'app',
        state: 'inactive',
        is_current: false,
        state_time: expect.any(String),
      },
    ]);
    expect(body.issued_api_keys).toMatchObject([
      { key_id: key.id, state_reason: { cause: 'directory', caller: 'directory-link' } },
    ]);
  });

  it('see links, what a policy would stop, and the actors that match no one', async () => {
    const acme = directory({});
    const [left, present] = [newName('x-left'), newName('x-here')];
    const key = await keyOf(left);
    await keyOf(present);
    const stray = newName('x-stray');
    await keyOf(stray);
    await acme.snapshot(
      [acme.person('u', [left], 'inactive'), acme.person('v', [present], 'active')],
      { revision: 2, actor_prefix: 'x-' },
    );
    const scope = `tenant=${acme.tenant}&product=app`;
    const { body } = await service.admin('GET', `/directoryLinks?${scope}`);
    expect(body.directory_links).toMatchObject([{ tenant: acme.tenant, on_deactivate: 'off' }]);
    const preview = (await service.admin('GET', `/directoryLinks:preview?${scope}`)).body;
    expect(preview.keys).toEqual([
      {
        key_id: key.id,
        kind: 'issued',
        name: expect.any(String),
        actor_id: left,
        leaver: { cause: 'directory', directory_id: acme.source_id, user_id: 'u' },
      },
    ]);
    expect(preview.unmatched_actors).toContain(stray);
    expect(preview.unmatched_actors).not.toContain(present);
    expect(preview.unmatched_actors.every((actor: string) => actor.startsWith('x-'))).toBe(true);
    const unknown = await service.admin('GET', '/directoryLinks:preview?tenant=none&product=app');
    expect(unknown.status).toBe(404);
  });
});
