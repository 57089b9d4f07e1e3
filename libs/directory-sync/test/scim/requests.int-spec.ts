import { user } from '../harness.js';
import { useStand } from '../stand.js';

const stand = useStand();

describe('requests.handle', () => {
  it('takes the request object of a program, also with a body as text', async () => {
    const request = {
      directoryId: stand.directory.id,
      apiSecret: stand.directory.scim.secret,
      resourceType: 'users' as const,
    };
    const { handle } = stand.test.sync.requests;
    const created = await handle.call(stand.test.sync.requests, {
      ...request,
      method: 'POST',
      resourceId: '',
      body: JSON.stringify(user('ann')),
    });
    expect(created).toMatchObject({ status: 201, data: { userName: 'ann' } });
    const listed = await stand.test.sync.requests.handle({
      ...request,
      method: 'GET',
      resourceId: '',
      query: { filter: 'userName eq "ANN"', startIndex: 1, count: 10 },
    });
    expect(listed).toMatchObject({ status: 200, data: { totalResults: 1 } });
    expect(Object.keys(listed).sort()).toEqual(['data', 'status']);
  });

  it('answers nonsense with an error body and never throws', async () => {
    for (const request of [undefined, null, {}, { method: 1 }, { resourceType: 'x', body: '{' }]) {
      const { status, data } = await stand.test.sync.requests.handle(request as never);
      expect([status, data?.status]).toEqual([401, '401']);
    }
    const { status } = await stand.directory.send('POST', '/Users', '{"userName":');
    expect(status).toBe(400);
  });
});
