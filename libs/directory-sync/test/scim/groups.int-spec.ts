import { newGroup } from '../groups.js';
import { filtered, group, patch } from '../harness.js';
import { useFixture } from '../fixture.js';

const fixture = useFixture();

describe('names of groups', () => {
  it('may repeat, except in directories of Entra ID, which compare without letter case', async () => {
    await newGroup(fixture.directory, 'devs');
    await newGroup(fixture.directory, 'devs');
    const entra = await fixture.test.newDirectory({ type: 'azure-scim-v2' });
    await entra.send('POST', '/Groups', group('devs'));
    const second = await entra.send('POST', '/Groups', group('Devs'));
    expect(second).toMatchObject({ status: 409, data: { scimType: 'uniqueness' } });
    const third = await entra.send('POST', '/Groups', group('ops'));
    const renamed = await entra.send('PUT', `/Groups/${third.data.id}`, group('DEVS'));
    expect(renamed.status).toBe(409);
  });

  it('are found by the new name after a rename, and the old name is free', async () => {
    const entra = await fixture.test.newDirectory({ type: 'azure-scim-v2' });
    const { data } = await entra.send('POST', '/Groups', group('old'));
    await entra.send(
      'PATCH',
      `/Groups/${data.id}`,
      patch({ op: 'Replace', path: 'displayName', value: 'new' }),
    );
    const total = async (name: string) =>
      (await entra.send('GET', filtered('Groups', `displayName eq "${name}"`))).data.totalResults;
    expect([await total('new'), await total('old')]).toEqual([1, 0]);
    expect((await entra.send('POST', '/Groups', group('old'))).status).toBe(201);
  });
});
