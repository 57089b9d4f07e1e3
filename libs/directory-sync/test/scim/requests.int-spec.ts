import { user } from '../harness.js';
import { useFixture } from '../fixture.js';

const fixture = useFixture();

describe('requests.handle', () => {
  it('accepts a parsed body or its JSON text', async () => {
    const request = {
      directoryId: fixture.directory.id,
      apiSecret: fixture.directory.scim.secret,
      resourceType: 'users' as const,
    };
    const { handle } = fixture.test.sync.requests;
    const created = await handle.call(fixture.test.sync.requests, {
      ...request,
      method: 'POST',
      resourceId: '',
      body: JSON.stringify(user('ann')),
    });
    expect(created).toMatchObject({ status: 201, data: { userName: 'ann' } });
    const listed = await fixture.test.sync.requests.handle({
      ...request,
      method: 'GET',
      resourceId: '',
      query: { filter: 'userName eq "ANN"', startIndex: 1, count: 10 },
    });
    expect(listed).toMatchObject({ status: 200, data: { totalResults: 1 } });
    expect(Object.keys(listed).sort()).toEqual(['data', 'status']);
  });

  it('resolves to an error body for invalid requests and never throws', async () => {
    for (const request of [undefined, null, {}, { method: 1 }, { resourceType: 'x', body: '{' }]) {
      const { status, data } = await fixture.test.sync.requests.handle(request as never);
      expect([status, data?.status]).toEqual([401, '401']);
    }
    const { status } = await fixture.directory.send('POST', '/Users', '{"userName":');
    expect(status).toBe(400);
  });
});
