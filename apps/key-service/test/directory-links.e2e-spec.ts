/** People of linked directories apply once, in order, and within the bounds of the link. */
import { type KeyServiceStack, startKeyService } from './key-stack.js';
import { PAUSED, leaversOf } from './leavers-stack.js';

let service: KeyServiceStack;
const {
  newName,
  nextSequence,
  exchangeOf,
  directory,
  keyOf,
  errorsOf,
  isRefused,
  works,
  act,
  close,
} = leaversOf(() => service);

beforeAll(async () => {
  service = await startKeyService({}, 2);
});
afterAll(async () => {
  await close();
  await service.close();
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
    const addresses = ['a@b@here.example', 'x@HERE.example', 'here.example', 'x@here.example@b'];
    for (const address of addresses) await keyOf(address);
    await acme.snapshot([], { revision: 3, email_domains: ['here.example'] });
    const bounded = (await service.admin('GET', `/directoryLinks:preview?${scope}`)).body;
    expect(bounded.unmatched_actors).toEqual(['a@b@here.example', 'x@HERE.example']);
    const unknown = await service.admin('GET', '/directoryLinks:preview?tenant=none&product=app');
    expect(unknown.status).toBe(404);
  });
});
