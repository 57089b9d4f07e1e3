/** The rooms over all services: overview, audit log and access. */
import { type ConsolePerson, eventually } from '@gatehouse/testing';
import { Administrator, type Provider } from '../visitor.js';
import { type ConsoleStack, openConsole } from './console-browser.js';

const HOSTILE = `<script>alert(1)</script>\u05d0${'x'.repeat(200)}`;
const READING = ['keys:read', 'dsync:read', 'forms:read'];

let stack: ConsoleStack;
let administrator: Administrator;
let person: ConsolePerson;

beforeAll(async () => {
  stack = await openConsole();
  ({ administrator } = stack);
  person = await stack.open();
  await person.signIn();
});

afterAll(async () => {
  await stack?.close();
});

async function expectNoFaults({ page }: ConsolePerson): Promise<void> {
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await person.faults()).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

const idOf = ({ scim }: Provider) => scim.path.split('/').at(-1) ?? '';
/** The plot below a heading, which has a table behind it. */
const picture = (heading: string) => person.section(heading).getByRole('img');
async function rowsOf(heading: string): Promise<string[]> {
  const section = person.section(heading);
  // Without numbers there is no plot yet.
  if ((await picture(heading).count()) === 0) return [];
  await section.getByText('As a table').click();
  return (await section.getByRole('row').allInnerTexts()).slice(1);
}

const row = (name: string | RegExp) => person.page.getByRole('row', { name }).first();

describe('the overview', () => {
  it('says that all is well', async () => {
    await person.start();
    expect(await person.title).toBe('Overview');
    await person.page.getByText('All is well').waitFor();
    await expectNoFaults(person);
  });

  it('names what needs a person, without a click', async () => {
    await administrator.issue({ name: HOSTILE, ttl: '259200s' });
    const { id: old } = await administrator.issue({ name: 'ends today', ttl: '43200s' });
    await stack.database.query(
      `UPDATE keys.api_keys SET create_time = now() - interval '30 days' WHERE key_id = $1`,
      [old],
    );
    await administrator.issue({ name: 'made for a session', ttl: '43200s' });
    const endpoints = '/v2alpha1/admin/webhook-endpoints';
    const { body: endpoint } = await administrator.ask('POST', endpoints, {
      url: 'http://127.0.0.1:9/hook',
      secret: 'a-webhook-secret-of-the-tests-01',
    });
    await administrator.ask('POST', `${endpoints}/${endpoint.id}/pause`);
    const { id: revoked, secret } = await administrator.issue();
    await administrator.revoke(revoked);
    for (let n = 0; n < 12; n += 1) await administrator.verify(secret);
    await eventually(async () => {
      await person.start();
      const rows = (await person.page.getByRole('row').allInnerTexts()).join('\n');
      expect(rows).toMatch(/More refusals than usual[^]*100% of verifications/);
    });
    const expiring = row('Keys that expire').getByRole('cell').getByRole('link');
    expect(await expiring.allInnerTexts()).toEqual(['ends today', HOSTILE]);
    const link = row('Webhook endpoints').getByRole('link', { name: 'http://127.0.0.1:9/hook' });
    expect(await link.getAttribute('href')).toBe(`/console/webhooks/keys/${endpoint.id}`);
    expect(person.clicks).toBe(0);
    await expectNoFaults(person);
  });

  it('shows the age of the oldest event that an endpoint in trouble has not taken', async () => {
    await administrator.issue({ name: 'announced' });
    await eventually(async () => {
      await person.start();
      await picture('Age of the oldest undelivered event').waitFor({ timeout: 1_000 });
    });
    const ages = await rowsOf('Age of the oldest undelivered event');
    expect(ages).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/hook\s+\d+ \w+$/)]);
    await expectNoFaults(person);
  });

  it('counts SCIM requests by status, those of a directory on its page', async () => {
    const name = 'SCIM requests in the last 24 hours';
    const busy = await administrator.newDirectory('http://127.0.0.1:9/');
    const other = await administrator.newDirectory('http://127.0.0.1:9/');
    await busy.createUser('ada');
    await busy.createUser('grace');
    await other.createUser('ada');
    await expect(other.createUser('ada')).rejects.toThrow();
    const sums = async () => {
      const numbers = (await rowsOf(name)).map((line) => line.split('\t').slice(1).map(Number));
      return [0, 1, 2].map((at) => numbers.reduce((sum, values) => sum + (values[at] ?? 0), 0));
    };
    await eventually(async () => {
      await person.start();
      expect(await sums()).toEqual([3, 1, 0]);
    });
    await expectNoFaults(person);
    await person.go(`/directories/${idOf(busy)}`);
    expect(await sums()).toEqual([2, 0, 0]);
    await person.go(`/directories/${idOf(other)}`);
    expect(await sums()).toEqual([1, 1, 0]);
    await expectNoFaults(person);
  });

  it('names directories whose providers have become quiet, and lists them with one click', async () => {
    const quiet = await administrator.newDirectory('http://127.0.0.1:9/', 'silent');
    await stack.database.query(
      `UPDATE dsync.directories SET last_request_at = now() - interval '8 days', quiet_at = now()
        WHERE id = $1`,
      [idOf(quiet)],
    );
    await person.start();
    await person.press('Directories without a request for a week');
    expect(await person.page.getByRole('row').count()).toBe(2);
    expect(await row('silent').count()).toBe(1);
    await expectNoFaults(person);
  });

  it('shows what other services say while one is down, as the list of endpoints does', async () => {
    await stack.database.query('ALTER TABLE forms.endpoints RENAME TO endpoints_away');
    try {
      for (const path of ['/', '/webhooks']) {
        await person.go(path);
        const notices = person.page.getByRole('main').getByRole('status');
        await notices.getByText('Forms: not available now').waitFor();
        expect(await row('http://127.0.0.1:9/hook').count()).toBe(1);
        await expectNoFaults(person);
      }
    } finally {
      await stack.database.query('ALTER TABLE forms.endpoints_away RENAME TO endpoints');
    }
    await person.go('/webhooks');
    expect(await person.page.getByText('not available now').count()).toBe(0);
  });
});

describe('the audit log', () => {
  it('shows who changed what in all services, after one click', async () => {
    await administrator.newSchema('audited');
    await administrator.newDirectory('http://127.0.0.1:9/');
    const { secret } = await administrator.issue({
      actor_id: HOSTILE,
      scopes: ['keys:admin'],
    });
    const { id } = await new Administrator(stack.gate, secret).issue({ actor_id: 'bob' });
    await person.start();
    await person.press('Audit log', person.page.getByRole('navigation'));
    expect(person.clicks).toBe(1);
    const types = await person.page
      .getByRole('row')
      .getByRole('cell')
      .getByRole('code')
      .allInnerTexts();
    expect(types).toEqual(expect.arrayContaining(['schema.registered', 'directory.created']));
    const first = person.page.getByRole('row').nth(1);
    expect(await first.getByRole('link', { name: HOSTILE }).count()).toBe(1);
    expect(await first.getByRole('link', { name: id }).getAttribute('href')).toBe(
      `/console/keys/${id}`,
    );
    await expectNoFaults(person);
  });

  it('finds the events of a caller, of a type, and of a target', async () => {
    await person.go('/audit?type=schema.registered');
    expect(await person.page.getByRole('row').count()).toBe(2);
    await person.press('audited');
    expect(new URL(person.page.url()).pathname).toBe('/console/forms/schemas/audited');
    await person.go('/audit');
    await person.page.getByLabel('Target').fill('bob');
    await person.page.getByLabel('Target').press('Enter');
    expect(await person.page.getByRole('row').count()).toBe(2);
    await person.go('/audit?caller=unknown');
    await person.page.getByText('No event matches.').waitFor();
    await expectNoFaults(person);
  });

  it('pages through all services without a gap and without a repetition', async () => {
    for (let n = 0; n < 70; n += 1) {
      await administrator.issue({ actor_id: `many-${n}` });
      if (n % 2 === 0) await administrator.newSchema(`schema-${n}`);
      if (n % 3 === 0) await administrator.newDirectory('http://127.0.0.1:9/');
    }
    const rows = person.page.getByRole('row');
    await person.go('/audit');
    const seen: string[] = [];
    const next = person.page.getByRole('link', { name: 'Next page' });
    for (;;) {
      seen.push(...(await rows.allInnerTexts()).slice(1));
      if ((await next.count()) === 0) break;
      await person.press('Next page');
    }
    const [{ events } = { events: 0 }] = await stack.database.query<{ events: number }>(`
      SELECT ((SELECT count(*) FROM keys.audit_events) + (SELECT count(*) FROM forms.audit_events)
        + (SELECT count(*) FROM dsync.audit_events))::integer AS events`);
    expect(seen).toHaveLength(events);
  });

  it.each([
    'keys=x',
    'keys=0.x',
    'directories=x',
    'directories=-1',
    'forms=999.x',
    'forms=end&keys=end&directories=end',
    `type=${'x'.repeat(3_000)}`,
    `type=${encodeURIComponent('"\\\u0000')}`,
    `target=${encodeURIComponent('a" AND key_id="b')}`,
  ])('answers the query %s with a page', async (query) => {
    const response = await person.page.goto(`/console/audit?${query}`);
    expect([200, 400]).toContain(response?.status());
    expect(await person.page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });
});

describe('access', () => {
  it('lists roles and sessions, and ends the session of another person in three clicks', async () => {
    const { secret } = await administrator.issue({ actor_id: HOSTILE, scopes: READING });
    const viewer = await stack.open();
    await viewer.signIn(secret);
    await person.start();
    await person.press('Access');
    await expectNoFaults(person);
    expect(await row('operator').innerText()).toContain('dsync:admin');
    await person.press('End the session', row(HOSTILE));
    await expectNoFaults(person);
    await person.press('End the session', person.page.getByRole('main'));
    await person.page.getByText('The session was ended.').waitFor();
    expect(person.clicks).toBe(3);
    await viewer.go('/');
    expect(await viewer.title).toBe('Sign in');
  });

  it('shows viewers no acts, and refuses them', async () => {
    const { secret } = await administrator.issue({ actor_id: 'viewer', scopes: READING });
    const viewer = await stack.open();
    await viewer.signIn(secret);
    await viewer.go('/access');
    expect(await viewer.page.getByRole('link', { name: 'End the session' }).count()).toBe(0);
    const [session] = await stack.database.query<{ session_id: string }>(
      `SELECT session_id FROM console.sessions WHERE name = 'Administrator'`,
    );
    await viewer.go(`/access/${session?.session_id}/end`);
    await viewer.press('End the session', viewer.page.getByRole('main'));
    expect(await viewer.title).toBe('Your role does not allow this');
    await person.start();
    expect(await person.title).toBe('Overview');
  });

  it('takes an administrator the right to end sessions with the scope of their key', async () => {
    const { id, secret } = await administrator.issue({
      actor_id: 'former',
      scopes: ['keys:admin'],
    });
    const former = await stack.open();
    await former.signIn(secret);
    await administrator.ask('PATCH', `/v2alpha1/admin/issuedApiKeys/${id}?update_mask=scopes`, {
      scopes: ['keys:read'],
    });
    const [session] = await stack.database.query<{ session_id: string }>(
      `SELECT session_id FROM console.sessions WHERE name = 'Administrator'`,
    );
    await former.go(`/access/${session?.session_id}/end`);
    await former.press('End the session', former.page.getByRole('main'));
    expect(await former.title).toBe('Your role does not allow this');
  });
});
