// @ts-check
import assert from 'node:assert/strict';
import { send } from './http.mjs';
import { departmentOf, entra, okta } from './identity-providers.mjs';
import { startReceiver } from './receiver.mjs';

/**
 * A directory for Okta and one for Entra ID, their requests, and the signed events that arrive.
 *
 * @param {import('./story.mjs').Story} story
 * @param {import('../local-stack/state.mjs').StackRecord} stack
 */
export async function showDirectorySync(story, stack) {
  const url = stack.services.gateway?.url ?? stack.services['dsync-api']?.url ?? '';
  const management = `${url}/api/v1/dsync`;
  const headers = { Authorization: `Api-Key ${stack.credentials.dsyncApiKey}` };
  const tenant = `demo-${Date.now().toString(36)}`;
  const receiver = await startReceiver();
  /** @type {string[]} */
  const directoryIds = [];

  /** @param {string} type */
  const createDirectory = async (type) => {
    const { body } = await send('POST', management, {
      headers,
      expect: 201,
      json: {
        name: `Demo ${type}`,
        tenant,
        product: 'shop',
        type,
        webhook_url: receiver.url,
        webhook_secret: receiver.secret,
      },
    });
    assert.equal(body.error, null);
    directoryIds.push(body.data.id);
    return body.data;
  };

  story.part('2. Directory sync', `Users and groups from identity providers, at ${url}`);
  try {
    const ofOkta = await story.step('Create a directory for Okta, with a webhook', async (tell) => {
      const directory = await createDirectory(okta.type);
      tell(`SCIM address ${directory.scim.endpoint}`, `webhooks to ${receiver.url}`);
      return directory;
    });
    await actAsOkta(story, scimClient(ofOkta, okta.contentType, url), receiver);

    const ofEntra = await story.step('Create a second directory, for Entra ID', async (tell) => {
      const directory = await createDirectory(entra.type);
      tell(`SCIM address ${directory.scim.endpoint}`);
      return directory;
    });
    await actAsEntra(story, scimClient(ofEntra, entra.contentType, url), receiver);

    await story.step('Each directory is closed to the secret of the other', async (tell) => {
      const stranger = scimClient({ ...ofOkta, scim: ofEntra.scim, id: ofOkta.id }, '', url);
      const { body } = await stranger('GET', '/Users', { expect: 401, at: ofOkta.scim.path });
      tell(`401: ${body.detail}`);
    });
    await story.step('No webhook came twice or without cause', async () => {
      assert.equal(receiver.left, 0);
      assert.deepEqual(receiver.refused, []);
    });
  } finally {
    for (const id of directoryIds) {
      await send('DELETE', `${management}/${id}`, { headers, expect: [200, 404] }).catch(() => {});
    }
    await receiver.close();
  }
}

/**
 * @param {import('./story.mjs').Story} story
 * @param {ScimClient} scim
 * @param {import('./receiver.mjs').Receiver} receiver
 */
async function actAsOkta(story, scim, receiver) {
  const person = { userName: 'ada@example.com', givenName: 'Ada', familyName: 'Byron' };
  const id = await story.step('Okta looks for ada@example.com, then creates her', async (tell) => {
    const before = await scim('GET', okta.lookUp(person.userName));
    assert.equal(before.body.totalResults, 0);
    const created = await scim('POST', '/Users', { json: okta.user(person), expect: 201 });
    assert.equal(created.body.password, undefined);
    assert.match(created.headers.get('location') ?? '', new RegExp(`/Users/${created.body.id}$`));
    tell(`201, id ${created.body.id}, version ${created.body.meta.version}; no password kept`);
    return created.body.id;
  });
  await story.step('A second user of that name, in capitals, is refused', async (tell) => {
    const json = okta.user({ ...person, userName: 'ADA@example.com' });
    const { body } = await scim('POST', '/Users', { json, expect: 409 });
    assert.equal(body.scimType, 'uniqueness');
    tell(`409 ${body.scimType}`);
  });
  await story.step(
    'Okta replaces her profile, puts her into a group, takes her out',
    async (tell) => {
      const changed = okta.changedUser({ ...person, id, familyName: 'Lovelace' });
      const { body } = await scim('PUT', `/Users/${id}`, { json: changed });
      assert.equal(body.name.familyName, 'Lovelace');
      const group = await scim('POST', '/Groups', { json: okta.group('Analysts'), expect: 201 });
      const path = `/Groups/${group.body.id}`;
      await scim('PATCH', path, { json: okta.addMember({ id, ...person }), expect: [200, 204] });
      const withMember = await scim('GET', path);
      assert.equal(withMember.body.members[0].value, id);
      await scim('PATCH', path, { json: okta.removeMember(id), expect: [200, 204] });
      tell(`now ${body.displayName}; group Analysts ${group.body.id}`);
    },
  );
  await story.step('Okta switches her off', async (tell) => {
    await scim('PATCH', `/Users/${id}`, { json: okta.deactivate, expect: [200, 204] });
    const { body } = await scim('GET', okta.lookUp(person.userName));
    assert.equal(body.Resources[0].active, false);
    tell('still listed, active: false');
  });
  await expectEvents(story, receiver, [
    ['user.created', (event) => assert.equal(event.data.last_name, 'Byron')],
    [
      'user.updated',
      (event) => {
        assert.equal(event.data.last_name, 'Lovelace');
        assert.equal(event.previous.last_name, 'Byron');
      },
    ],
    ['group.created', (event) => assert.equal(event.data.name, 'Analysts')],
    ['group.user_added', (event) => assert.equal(event.data.group.name, 'Analysts')],
    ['group.user_removed', (event) => assert.equal(event.data.email, 'ada@example.com')],
    ['user.updated', (event) => assert.equal(event.data.active, false)],
  ]);
}

/**
 * @param {import('./story.mjs').Story} story
 * @param {ScimClient} scim
 * @param {import('./receiver.mjs').Receiver} receiver
 */
async function actAsEntra(story, scim, receiver) {
  const person = { userName: 'grace@example.com', givenName: 'Grace', familyName: 'Murray' };
  const id = await story.step('Entra ID creates Grace, with a department', async (tell) => {
    const before = await scim('GET', entra.lookUp(person.userName));
    assert.equal(before.body.totalResults, 0);
    const { body } = await scim('POST', '/Users', { json: entra.user(person), expect: 201 });
    assert.equal(departmentOf(body), 'Research');
    tell(`201, id ${body.id}`);
    return body.id;
  });
  await story.step('Entra ID changes name, mail and department in one PATCH', async (tell) => {
    const change = { familyName: 'Hopper', mail: 'hopper@example.com', department: 'Navy' };
    await scim('PATCH', `/Users/${id}`, { json: entra.change(change), expect: [200, 204] });
    const { body } = await scim('GET', `/Users/${id}`);
    assert.equal(body.name.familyName, 'Hopper');
    assert.deepEqual(
      body.emails.map((/** @type {any} */ mail) => mail.value),
      ['hopper@example.com'],
    );
    assert.equal(departmentOf(body), 'Navy');
    tell(`Grace ${body.name.familyName}, ${body.emails[0].value}, ${departmentOf(body)}`);
  });
  await story.step(
    'Entra ID puts her into a group, switches her off with the text "False"',
    async () => {
      const { body } = await scim('POST', '/Groups', {
        json: entra.group('Captains'),
        expect: 201,
      });
      const json = entra.addMember(id);
      await scim('PATCH', `/Groups/${body.id}`, { json, expect: [200, 204] });
      await scim('PATCH', `/Users/${id}`, { json: entra.deactivate, expect: [200, 204] });
      assert.equal((await scim('GET', `/Users/${id}`)).body.active, false);
    },
  );
  await story.step('Entra ID deletes her', async (tell) => {
    await scim('DELETE', `/Users/${id}`, { expect: 204 });
    await scim('GET', `/Users/${id}`, { expect: 404 });
    tell('204, then 404');
  });
  await expectEvents(story, receiver, [
    ['user.created', (event) => assert.equal(departmentOf(event.data.raw), 'Research')],
    ['user.updated', (event) => assert.equal(event.data.email, 'hopper@example.com')],
    ['group.created', (event) => assert.equal(event.data.name, 'Captains')],
    ['group.user_added', (event) => assert.equal(event.data.id, id)],
    ['user.updated', (event) => assert.equal(event.data.active, false)],
    ['group.user_removed', (event) => assert.equal(event.data.group.name, 'Captains')],
    ['user.deleted', (event) => assert.equal(event.data.id, id)],
  ]);
}

/**
 * @param {import('./story.mjs').Story} story
 * @param {import('./receiver.mjs').Receiver} receiver
 * @param {[string, (event: any) => void][]} expected
 */
async function expectEvents(story, receiver, expected) {
  await story.step(
    `${expected.length} signed webhooks arrive, in the order of the changes`,
    async (tell) => {
      const received = await receiver.next(expected.length);
      assert.deepEqual(
        received.map(({ event }) => event.event),
        expected.map(([type]) => type),
      );
      for (const [index, { event, headers }] of received.entries()) {
        expected[index]?.[1](event);
        assert.equal(headers['webhook-id'], event.id);
        const before = received[index - 1]?.event.sequence;
        assert.ok(before === undefined || BigInt(before) < BigInt(event.sequence), 'sequence');
        tell(`${event.event.padEnd(18)} sequence ${event.sequence}, signature checked`);
      }
      const [first] = received;
      assert.ok(first && receiver.refusesChanged(first));
      tell('a copy with one letter changed: refused by the library');
    },
  );
}

/**
 * @typedef {(method: string, path: string, options?: { json?: object, expect?: number | number[], at?: string }) => Promise<import('./http.mjs').Answer>} ScimClient
 */

/**
 * @param {{ scim: { path: string, secret: string } }} directory
 * @param {string} contentType
 * @param {string} url
 * @returns {ScimClient}
 */
function scimClient({ scim }, contentType, url) {
  return (method, path, { json, expect = 200, at = scim.path } = {}) =>
    send(method, `${url}${at}${path}`, {
      headers: {
        Authorization: `Bearer ${scim.secret}`,
        Accept: 'application/scim+json',
        ...(json === undefined ? {} : { 'Content-Type': contentType }),
      },
      json,
      expect,
    });
}
