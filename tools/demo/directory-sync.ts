import assert from 'node:assert/strict';
import { departmentOf, entra, okta } from '@gatehouse/testing';
import { stackLayout } from '#local-stack/layout.mjs';
import { portPlan } from '#local-stack/ports.mjs';
import { readState } from '#local-stack/state.mjs';
import { expectEvents, groupNameOf } from './expected-events.js';
import { type JsonResponse, send } from './http.js';
import { showOnboarding } from './onboarding.js';
import { showOutage } from './outage.js';
import { type Receiver, startReceiver } from './receiver.js';
import { type Stack, type Story } from './story.js';
import { showWorkspace } from './workspace.js';

export interface Directory {
  id: string;
  scim: { path: string; secret: string; endpoint: string };
}
interface ScimBody {
  id: string;
  active: boolean;
  displayName: string;
  name: { familyName: string };
  emails: { value: string }[];
  members: { value: string }[];
  meta: { version: string };
  password?: string;
  totalResults: number;
  Resources: ScimBody[];
  scimType: string;
  detail: string;
}
interface DirectoryStatus {
  data: { webhook: { state: string } };
}
type ScimClient = (
  method: string,
  path: string,
  options?: { json?: object; expect?: number | number[]; at?: string },
) => Promise<JsonResponse<ScimBody>>;

export const PATCHED = [200, 204];

/** Creates a directory for Okta and one for Entra ID, acts as each, and receives signed events. */
export async function showDirectorySync(story: Story, stack: Stack): Promise<void> {
  const direct = stack.services['dsync-api']?.url ?? '';
  const url = stack.services.gateway?.url ?? direct;
  const management = `${stack.services.gateway?.admin ?? direct}/api/v1/dsync`;
  const headers = { Authorization: `Api-Key ${stack.credentials.dsyncApiKey}` };
  const tenant = `demo-${Date.now().toString(36)}`;
  const receiver = await startReceiver();
  const directoryIds: string[] = [];

  const createDirectory = async (type: string, more: object = {}): Promise<Directory> => {
    const { body } = await send<{ data: Directory; error: unknown }>('POST', management, {
      headers,
      expect: 201,
      json: {
        name: `Demo ${type}`,
        tenant,
        product: 'shop',
        type,
        webhook_url: receiver.url,
        webhook_secret: receiver.secret,
        ...more,
      },
    });
    assert.equal(body.error, null);
    directoryIds.push(body.data.id);
    return body.data;
  };

  story.part('2. Directory sync', `Users and groups from identity providers, at ${url}`);
  try {
    const oktaDirectory = await story.step(
      'Create a directory for Okta, with a webhook',
      async (note) => {
        const directory = await createDirectory(okta.type);
        note(`SCIM URL ${directory.scim.endpoint}`, `webhooks to ${receiver.url}`);
        return directory;
      },
    );
    await actAsOkta(story, scimClient(oktaDirectory, okta.contentType, url), receiver);

    const entraDirectory = await story.step('Create a directory for Entra ID', async (note) => {
      const directory = await createDirectory(entra.type);
      note(`SCIM URL ${directory.scim.endpoint}`);
      return directory;
    });
    await actAsEntra(story, scimClient(entraDirectory, entra.contentType, url), receiver);

    await story.step("A directory rejects the other directory's secret", async (note) => {
      const scim = scimClient(entraDirectory, entra.contentType, url);
      const { body } = await scim('GET', '/Users', { expect: 401, at: oktaDirectory.scim.path });
      note(`401: ${body.detail}`);
    });
    const path = `${management}/${oktaDirectory.id}`;
    await showOutage(story, {
      receiver,
      what: 'Okta creates users',
      types: ['user.created', 'user.created', 'user.created'],
      change: async () => {
        const scim = scimClient(oktaDirectory, okta.contentType, url);
        for (const givenName of ['Grace', 'Edith', 'Mary']) {
          const userName = `${givenName.toLowerCase()}@example.com`;
          const json = okta.user({ userName, givenName, familyName: 'Example' });
          await scim('POST', '/Users', { json, expect: 201 });
        }
      },
      state: async () => {
        const { body } = await send<DirectoryStatus>('GET', `${path}/status`, { headers });
        return body.data.webhook.state;
      },
      resume: () =>
        send('POST', `${path}/webhook-endpoints/${oktaDirectory.id}/resume`, { headers }),
      replay: (from) =>
        send('POST', `${path}/events/replay`, { headers, json: { from_time: from } }),
    });
    const onboarded = await createDirectory(okta.type);
    await showOnboarding(story, {
      management,
      directoryId: onboarded.id,
      headers,
      provision: async (token) => {
        const scim = scimClient(onboarded, okta.contentType, url, token);
        const person = { userName: 'alan@example.com', givenName: 'Alan', familyName: 'Example' };
        const user = await scim('POST', '/Users', { json: okta.user(person), expect: 201 });
        const json = okta.group('Administrators');
        const group = await scim('POST', '/Groups', { json, expect: 201 });
        const added = okta.addMember({ id: user.body.id, userName: person.userName });
        await scim('PATCH', `/Groups/${group.body.id}`, { json: added, expect: PATCHED });
      },
    });
    await expectEvents(story, receiver, [
      ['user.created', ({ data }) => assert.deepEqual(data['roles'], ['member'])],
      ['group.created', ({ data }) => assert.equal(data['name'], 'Administrators')],
      ['group.user_added', (event) => assert.equal(groupNameOf(event), 'Administrators')],
      [
        'user.roles_changed',
        ({ data }) =>
          assert.deepEqual([data['previous'], data['current']], [['member'], ['admin']]),
      ],
    ]);
    const workspace = await createDirectory('workspace', { workspace_domain: 'example.com' });
    await showWorkspace(story, {
      path: `${management}/${workspace.id}`,
      headers,
      receiver,
      port: providerPort(),
    });
    await story.step('No other webhooks have arrived', async () => {
      await Promise.resolve(assert.equal(receiver.unexpected(), 0));
    });
  } finally {
    for (const id of directoryIds) {
      await send('DELETE', `${management}/${id}`, { headers, expect: [200, 404] }).catch(() => {});
    }
    await receiver.close();
  }
}

/** Where the services of the running stack expect the provider of workspace directories. */
function providerPort(): number {
  const state = readState(stackLayout());
  assert.ok(state, 'no stack runs');
  return portPlan(state.portBase).demoProvider;
}

async function actAsOkta(story: Story, scim: ScimClient, receiver: Receiver): Promise<void> {
  const person = { userName: 'ada@example.com', givenName: 'Ada', familyName: 'Byron' };
  const id = await story.step('Okta looks up ada@example.com and creates her', async (note) => {
    const before = await scim('GET', okta.lookUp(person.userName));
    assert.equal(before.body.totalResults, 0);
    const { body, headers } = await scim('POST', '/Users', {
      json: okta.user(person),
      expect: 201,
    });
    assert.equal(body.password, undefined);
    assert.ok(headers.get('location')?.endsWith(`/Users/${body.id}`));
    note(`201, id ${body.id}, version ${body.meta.version}; the password is not stored`);
    return body.id;
  });
  await story.step('A second user with the same name in capitals is rejected', async (note) => {
    const json = okta.user({ ...person, userName: 'ADA@example.com' });
    const { body } = await scim('POST', '/Users', { json, expect: 409 });
    assert.equal(body.scimType, 'uniqueness');
    note(`409 ${body.scimType}`);
  });
  await story.step(
    'Okta replaces her profile, adds her to a group and removes her',
    async (note) => {
      const changed = okta.changedUser({ ...person, id, familyName: 'Lovelace' });
      const { body } = await scim('PUT', `/Users/${id}`, { json: changed });
      assert.equal(body.name.familyName, 'Lovelace');
      const group = await scim('POST', '/Groups', { json: okta.group('Analysts'), expect: 201 });
      const path = `/Groups/${group.body.id}`;
      await scim('PATCH', path, { json: okta.addMember({ id, ...person }), expect: PATCHED });
      const withMember = await scim('GET', path);
      assert.equal(withMember.body.members[0]?.value, id);
      await scim('PATCH', path, { json: okta.removeMember(id), expect: PATCHED });
      note(`now ${body.displayName}; group Analysts ${group.body.id}`);
    },
  );
  await story.step('Okta deactivates her', async (note) => {
    await scim('PATCH', `/Users/${id}`, { json: okta.deactivate, expect: PATCHED });
    const { body } = await scim('GET', okta.lookUp(person.userName));
    assert.equal(body.Resources[0]?.active, false);
    note('still listed, active: false');
  });
  await expectEvents(story, receiver, [
    ['user.created', ({ data }) => assert.equal(data['last_name'], 'Byron')],
    [
      'user.updated',
      ({ data, previous }) => {
        assert.equal(data['last_name'], 'Lovelace');
        assert.equal(previous?.['last_name'], 'Byron');
      },
    ],
    ['group.created', ({ data }) => assert.equal(data['name'], 'Analysts')],
    ['group.user_added', (event) => assert.equal(groupNameOf(event), 'Analysts')],
    ['group.user_removed', ({ data }) => assert.equal(data['email'], 'ada@example.com')],
    ['user.updated', ({ data }) => assert.equal(data['active'], false)],
  ]);
}

async function actAsEntra(story: Story, scim: ScimClient, receiver: Receiver): Promise<void> {
  const person = { userName: 'grace@example.com', givenName: 'Grace', familyName: 'Murray' };
  const id = await story.step('Entra ID creates Grace, with a department', async (note) => {
    const before = await scim('GET', entra.lookUp(person.userName));
    assert.equal(before.body.totalResults, 0);
    const { body } = await scim('POST', '/Users', { json: entra.user(person), expect: 201 });
    assert.equal(departmentOf(body), 'Research');
    note(`201, id ${body.id}`);
    return body.id;
  });
  await story.step('Entra ID changes name, email and department in one PATCH', async (note) => {
    const change = { familyName: 'Hopper', mail: 'hopper@example.com', department: 'Navy' };
    await scim('PATCH', `/Users/${id}`, { json: entra.change(change), expect: PATCHED });
    const { body } = await scim('GET', `/Users/${id}`);
    const [email, ...otherEmails] = body.emails.map(({ value }) => value);
    assert.equal(body.name.familyName, 'Hopper');
    assert.equal(email, 'hopper@example.com');
    assert.equal(otherEmails.length, 0);
    assert.equal(departmentOf(body), 'Navy');
    note(`Grace ${body.name.familyName}, ${email}, Navy`);
  });
  await story.step(
    'Entra ID adds her to a group and deactivates her with the string "False"',
    async () => {
      const json = entra.group('Captains');
      const { body } = await scim('POST', '/Groups', { json, expect: 201 });
      const path = `/Groups/${body.id}`;
      await scim('PATCH', path, { json: entra.addMember(id), expect: PATCHED });
      await scim('PATCH', `/Users/${id}`, { json: entra.deactivate, expect: PATCHED });
      assert.equal((await scim('GET', `/Users/${id}`)).body.active, false);
    },
  );
  await story.step('Entra ID deletes her', async (note) => {
    await scim('DELETE', `/Users/${id}`, { expect: 204 });
    await scim('GET', `/Users/${id}`, { expect: 404 });
    note('204, then 404');
  });
  await expectEvents(story, receiver, [
    ['user.created', ({ data }) => assert.equal(departmentOf(data['raw'] as object), 'Research')],
    ['user.updated', ({ data }) => assert.equal(data['email'], 'hopper@example.com')],
    ['group.created', ({ data }) => assert.equal(data['name'], 'Captains')],
    ['group.user_added', ({ data }) => assert.equal(data['id'], id)],
    ['user.updated', ({ data }) => assert.equal(data['active'], false)],
    ['group.user_removed', (event) => assert.equal(groupNameOf(event), 'Captains')],
    ['user.deleted', ({ data }) => assert.equal(data['id'], id)],
  ]);
}

export function scimClient(
  { scim }: Directory,
  contentType: string,
  url: string,
  secret = scim.secret,
): ScimClient {
  return (method, path, { json, expect, at = scim.path } = {}) =>
    send<ScimBody>(method, `${url}${at}${path}`, {
      headers: {
        Authorization: `Bearer ${secret}`,
        Accept: 'application/scim+json',
        ...(json && { 'Content-Type': contentType }),
      },
      json,
      expect,
    });
}
