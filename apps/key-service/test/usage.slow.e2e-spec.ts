/** Usage over HTTP: what two replicas counted, as JSON and CSV. */
import { type Answer, eventually } from '@gatehouse/testing';
import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService({}, 2);
});
afterAll(() => service.close());

const usage = (query = '', path = '/usage', headers: Record<string, string> = {}) =>
  service.admin('GET', `${path}?interval=minute${query}`, undefined, { headers });
interface Row {
  count: string;
  outcome?: string;
  tag?: string;
}
const rowsOf = (body: Answer['body']) => body.usage as Row[];
const sumOf = (rows: Row[]) => rows.reduce((sum, { count }) => sum + Number(count), 0);

it('counts what both replicas verified, by outcome, tag and actor', async () => {
  const { secret, key } = await service.issue({ actor_id: 'u1', tags: ['web'] });
  const path = `/issuedApiKeys/${key.key_id}/usage`;
  for (const replica of [0, 1]) {
    await service.verify(secret, {}, { replica });
    await service.verify(secret, { tags: ['v2'] }, { replica });
    await service.verify(secret, { required_scopes: ['missing'] }, { replica });
    await service.verify(secret, { peek: true }, { replica });
  }
  await eventually(async () => {
    const { body } = await usage('', path);
    expect(sumOf(body.usage)).toBe(6);
  });
  const { body: byOutcome } = await usage('&group_by=outcome', path);
  expect(sumOf(rowsOf(byOutcome).filter(({ outcome }) => outcome === 'valid'))).toBe(4);
  expect(new Set(rowsOf(byOutcome).map(({ outcome }) => outcome))).toEqual(
    new Set(['valid', 'insufficient_scope']),
  );
  const { body: byTag } = await usage('&group_by=tag,actor&filter=actor_id%3Du1');
  expect(sumOf(rowsOf(byTag).filter(({ tag }) => tag === 'v2'))).toBe(2);
  expect(byTag.usage[0]).toMatchObject({ actor_id: 'u1' });
});

it('counts unknown credentials by prefix and outcome, and never by what was sent', async () => {
  await service.verify('gate_sk_v1_unknown');
  await eventually(async () => {
    const { body } = await usage('&group_by=prefix,outcome');
    expect(body.usage).toContainEqual(
      expect.objectContaining({ prefix: 'imported', outcome: 'not_found' }),
    );
  });
});

it('takes tags from the query of :authorize', async () => {
  const { secret } = await service.issue({ actor_id: 'gateway' });
  const headers = { 'x-api-key': secret };
  await service.admin('GET', '/apiKeys:authorize?tag=edge', undefined, { headers });
  await eventually(async () => {
    const { body } = await usage('&group_by=actor&filter=tag%3Dedge');
    expect(body.usage).toEqual([expect.objectContaining({ actor_id: 'gateway', count: '1' })]);
  });
});

it('writes what it counted when it is stopped', async () => {
  const { secret, key } = await service.issue({ actor_id: 'leaving' });
  const leaving = await service.start();
  for (let n = 0; n < 20; n += 1) {
    await leaving.http.send('POST', '/v2alpha1/admin/apiKeys:verify', {
      json: { credential: secret },
    });
  }
  expect(await leaving.stop()).toBe(0);
  const { body } = await usage('', `/issuedApiKeys/${key.key_id}/usage`);
  expect(sumOf(body.usage)).toBe(20);
});

it('answers CSV with the address of the next page, and no formulas', async () => {
  for (const actor_id of ['=1+1', 'a,b', 'c']) {
    const { secret } = await service.issue({ actor_id });
    await service.verify(secret);
  }
  await eventually(async () => {
    expect((await usage('&group_by=actor&filter=actor_id%3Dc')).body.usage).toHaveLength(1);
  });
  const csv = { accept: 'text/csv' };
  const rows: string[] = [];
  let next: string | undefined = '/v2alpha1/admin/usage?interval=minute&group_by=actor&page_size=1';
  while (next !== undefined) {
    const { status, headers, text }: Answer = await service.call('GET', next, undefined, {
      headers: csv,
    });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch('text/csv');
    const [head, ...lines] = text.split('\r\n');
    expect(head).toBe('time,actor_id,count,cost');
    rows.push(...lines);
    next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }
  expect(rows.some((row) => row.includes(`,'=1+1,1,1`))).toBe(true);
  expect(rows.some((row) => row.includes(',"a,b",1,1'))).toBe(true);
});

it('answers 404 for the usage of a key that does not exist, or is of the other kind', async () => {
  const { key } = await service.issue();
  for (const path of [
    `/importedApiKeys/${key.key_id}/usage`,
    '/issuedApiKeys/01900000-0000-7000-8000-000000000000/usage',
    '/issuedApiKeys/x/usage',
  ]) {
    expect((await usage('', path)).status).toBe(404);
  }
});

it.each([
  ['from=yesterday', 'from'],
  ['to=2027-02-30T00:00:00Z', 'to'],
  ['from=2026-02-01T00:00:00Z&to=2026-02-01T00:00:00Z', 'to'],
  ['interval=day&to=9999-12-31T23:59:59Z', 'to'],
  ['from=0000-01-01T00:00:00Z', 'from'],
  ['interval=week', 'interval'],
  ['interval=minute&from=2026-02-01T00:00:00Z&to=2026-02-02T00:01:00Z', 'from'],
  ['interval=hour&from=2026-02-01T00:00:00Z&to=2026-08-01T00:00:00Z', 'from'],
  ['interval=day&from=2020-02-01T00:00:00Z&to=2026-08-01T00:00:00Z', 'from'],
  ['group_by=key,key', 'group_by'],
  ['group_by=color', 'group_by'],
  ['group_by=key,prefix', 'group_by'],
  ['filter=outcome%3Dgreat', 'filter'],
  ['filter=color%3Dred', 'filter'],
  ['page_token=x', 'page_token'],
  ['page_size=x', 'page_size'],
  ['form=2026-02-01T00:00:00Z', 'form'],
])('answers 400 for %s and names %s', async (query, field) => {
  const answer = await service.admin('GET', `/usage?${query}`);
  expect(answer.status).toBe(400);
  expect(namedFields(answer)).toEqual([field]);
});
