import { eventually } from '@gatehouse/testing';
import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

const list = (kind: string, query: Record<string, string> = {}) =>
  service.admin('GET', `/${kind}?${new URLSearchParams(query).toString()}`);

describe.each([
  ['issuedApiKeys', 'issued_api_keys'],
  ['importedApiKeys', 'imported_api_keys'],
])('GET /v2alpha1/admin/%s', (kind, member) => {
  const ids: string[] = [];
  const names = ({ body }: Awaited<ReturnType<typeof list>>) =>
    body[member].map(({ name }: { name: string }) => name);

  beforeAll(async () => {
    for (let index = 0; index < 6; index += 1) {
      const answer = await service.admin('POST', `/${kind}`, {
        name: `k${index}`,
        actor_id: index % 2 === 0 ? 'even' : 'odd one@example.com',
        ...(index > 2 && { tags: index === 4 ? ['eu', 'team:a/b'] : ['eu'] }),
        ...(index === 3 && { visibility: 'KEY_VISIBILITY_PUBLIC' }),
        ttl: index === 5 ? '1s' : '1h',
        ...(kind === 'importedApiKeys' && { raw_key: `list-raw-${index}` }),
      });
      ids.push((answer.body.issued_api_key ?? answer.body).key_id);
    }
    await service.admin('POST', `/apiKeys/${ids[0]}:revoke`, {});
    await eventually(async () => {
      const { body } = await service.admin('GET', `/${kind}/${ids[5]}`);
      expect(body.status).toBe('KEY_STATUS_EXPIRED');
    });
  });

  it('200: newest first', async () => {
    const answer = await list(kind);
    expect(answer.status).toBe(200);
    expect(names(answer)).toEqual(['k5', 'k4', 'k3', 'k2', 'k1', 'k0']);
    expect(answer.body.next_page_token).toBe('');
  });

  it('200: pages are complete, and the last one is marked, also when it is full', async () => {
    const first = await list(kind, { page_size: '4' });
    expect(names(first)).toEqual(['k5', 'k4', 'k3', 'k2']);
    const token = first.body.next_page_token as string;
    const second = await list(kind, { page_size: '2', page_token: token });
    expect(names(second)).toEqual(['k1', 'k0']);
    expect(second.body.next_page_token).toBe('');
  });

  it.each(['0', '-5', '', '2000', '9'.repeat(40), `-${'9'.repeat(40)}`])(
    '200: page_size %j means the default or the maximum',
    async (size) => {
      expect(names(await list(kind, { page_size: size }))).toHaveLength(6);
    },
  );

  it.each([
    ['actor_id="even"', ['k4', 'k2', 'k0']],
    ['actor_id=even', ['k4', 'k2', 'k0']],
    ['actor_id=\\"even\\" AND status=KEY_STATUS_ACTIVE', ['k4', 'k2']],
    ['status=KEY_STATUS_ACTIVE and actor_id="odd one@example.com"', ['k3', 'k1']],
    ['status="KEY_STATUS_REVOKED"', ['k0']],
    ['  status = KEY_STATUS_EXPIRED  ', ['k5']],
    ['actor_id="unknown"', []],
    ['name="k1"', ['k1']],
    ['tags:eu', ['k5', 'k4', 'k3']],
    ['tags : "team:a/b"', ['k4']],
    ['tags:team', []],
    ['tags:eu AND actor_id=even', ['k4']],
    ['name=k1 AND actor_id=even', []],
    ['visibility=KEY_VISIBILITY_PUBLIC', ['k3']],
    ['visibility=KEY_VISIBILITY_SECRET AND status=KEY_STATUS_ACTIVE', ['k4', 'k2', 'k1']],
    ['create_time>2020-01-01T00:00:00Z AND create_time<2021-01-01T00:00:00Z', []],
    ['create_time > "2020-01-01T00:00:00+01:00" AND name=k2', ['k2']],
    ['expire_time<2020-01-01T00:00:00Z', []],
    // In the order of expiry: k5 expires first.
    ['expire_time>2020-01-01T00:00:00Z', ['k4', 'k3', 'k2', 'k1', 'k0', 'k5']],
    ['', ['k5', 'k4', 'k3', 'k2', 'k1', 'k0']],
  ])('200: filter %s', async (filter, expected) => {
    expect(names(await list(kind, { filter }))).toEqual(expected);
  });

  it.each([
    'actor_id="a" OR actor_id="b"',
    'metadata="k1"',
    'tags=eu',
    'tags:eu AND tags:us',
    'name:k1',
    'name<"k1"',
    'visibility=KEY_VISIBILITY_UNSPECIFIED',
    'create_time>yesterday',
    'create_time>"2027-02-30T00:00:00Z"',
    'expire_time<=2027-01-01T00:00:00Z',
    'expire_time>2027-01-01T00:00:00Z AND expire_time>2028-01-01T00:00:00Z',
    'actor_id="a" AND actor_id="a"',
    'actor_id=""',
    'actor_id=',
    'actor_id="even" AND',
    'AND status=KEY_STATUS_ACTIVE',
    'status=KEY_STATUS_UNSPECIFIED',
    'status=ACTIVE',
    'actor_id="even',
    'actor_id=even status=KEY_STATUS_ACTIVE',
    'actor_id="a"AND status=KEY_STATUS_ACTIVE',
    'actor_id != "even"',
    'actor_id="nul\u0000"',
    `actor_id="${'x'.repeat(3000)}"`,
  ])('400: filter %s', async (filter) => {
    const answer = await list(kind, { filter });
    expect(answer.status).toBe(400);
    expect(namedFields(answer)).toEqual(['filter']);
  });

  it.each(['1.5', 'x', '1e3', '0x10', '--5', ' 5', '५'])('400: page_size %j', async (page_size) => {
    expect(namedFields(await list(kind, { page_size }))).toEqual(['page_size']);
  });

  it('200: ranges of times exclude their bounds, and = is exact', async () => {
    const all = await list(kind);
    const [, k4, , k2] = all.body[member];
    const between = `create_time>${k2.create_time} AND create_time<${k4.create_time}`;
    expect(names(await list(kind, { filter: between }))).toEqual(['k3']);
    const exact = `create_time=${k2.create_time}`;
    expect(names(await list(kind, { filter: exact }))).toEqual(['k2']);
    const expiry = `expire_time=${k4.expire_time}`;
    expect(names(await list(kind, { filter: expiry }))).toEqual(['k4']);
  });

  it('200: pages of a list by expiry are complete', async () => {
    const filter = 'expire_time>2020-01-01T00:00:00Z';
    const found: string[] = [];
    let page_token = '';
    do {
      const answer = await list(kind, { filter, page_size: '2', page_token });
      found.push(...names(answer));
      page_token = answer.body.next_page_token;
    } while (page_token !== '');
    expect(found).toEqual(['k4', 'k3', 'k2', 'k1', 'k0', 'k5']);
  });

  it('400: a page token that was altered, or belongs to another list or filter', async () => {
    const first = await list(kind, { page_size: '1', filter: 'actor_id=even' });
    const token = first.body.next_page_token as string;
    const other = kind === 'issuedApiKeys' ? 'importedApiKeys' : 'issuedApiKeys';
    const altered = `${token.slice(0, 30)}${token[30] === 'A' ? 'B' : 'A'}${token.slice(31)}`;
    const answers = await Promise.all([
      list(kind, { page_token: token }),
      list(kind, { page_token: token, filter: 'actor_id=odd' }),
      list(other, { page_token: token, filter: 'actor_id=even' }),
      list(kind, { page_token: altered, filter: 'actor_id=even' }),
      list(kind, { page_token: 'nonsense' }),
    ]);
    expect(answers.map(namedFields)).toEqual(answers.map(() => ['page_token']));
    const next = await list(kind, { page_token: token, filter: 'actor_id=even', page_size: '9' });
    expect(names(next)).toEqual(['k2', 'k0']);
  });

  it('200: keys added between two pages do not repeat a key on the second page', async () => {
    const first = await list(kind, { page_size: '2' });
    await service.admin('POST', `/${kind}`, {
      name: 'newer',
      actor_id: 'x',
      ...(kind === 'importedApiKeys' && { raw_key: 'list-newer' }),
    });
    const token = first.body.next_page_token as string;
    expect(names(await list(kind, { page_token: token }))).toEqual(['k3', 'k2', 'k1', 'k0']);
  });

  it('200: a name with quotes and backslashes is found, escaped in the filter', async () => {
    const name = 'C:\\keys "old"\\';
    await service.admin('POST', `/${kind}`, {
      name,
      actor_id: 'escapes',
      ...(kind === 'importedApiKeys' && { raw_key: 'list-raw-escapes' }),
    });
    const filter = String.raw`name="C:\\keys \"old\"\\" AND actor_id=escapes`;
    expect(names(await list(kind, { filter }))).toEqual([name]);
    const unknown = String.raw`name="C:\keys"`;
    expect(namedFields(await list(kind, { filter: unknown }))).toEqual(['filter']);
  });
});

describe('GET /v2alpha1/admin/issuedApiKeys by a part of a secret', () => {
  const issued: { secret: string; id: string }[] = [];
  const idsBy = async (key_preview: string, more = '', query: Record<string, string> = {}) => {
    const filter = `key_preview="${key_preview}"${more}`;
    const { status, body } = await list('issuedApiKeys', { filter, ...query });
    expect(status).toBe(200);
    return body.issued_api_keys.map(({ key_id: id }: { key_id: string }) => id);
  };
  const payloadOf = (secret: string) => secret.slice('gate_sk_v1_'.length);

  beforeAll(async () => {
    for (const actor of ['finder', 'finder', 'other']) {
      const { secret, key } = await service.issue({ actor_id: actor });
      issued.push({ secret, id: key.key_id });
    }
  });

  it('200: by the last four characters, alone or in a preview', async () => {
    for (const { secret, id } of issued) {
      const lastFour = secret.slice(-4);
      for (const text of [`…${lastFour}`, `...${lastFour}`, `gate_sk_v1_…${lastFour}`]) {
        expect(await idsBy(text)).toEqual([id]);
      }
      expect(await idsBy(`gate_pk_v1_…${lastFour}`)).toEqual([]);
    }
    const shown = await service.admin('GET', `/issuedApiKeys/${issued[0]?.id}`);
    expect(await idsBy(shown.body.key_preview)).toEqual([issued[0]?.id]);
  });

  it('200: by the first characters, as many as a person reads', async () => {
    for (const { secret, id } of issued) {
      const payload = payloadOf(secret);
      expect(await idsBy(`gate_sk_v1_${payload.slice(0, 24)}…`)).toEqual([id]);
      expect(await idsBy(`gate_sk_v1_${payload.slice(0, 4)}…${secret.slice(-4)}`)).toEqual([id]);
      expect(await idsBy(`pay_sk_v1_${payload.slice(0, 4)}…`)).toEqual([]);
    }
    expect(await idsBy('gate_sk_v1_zzzzzz…')).toEqual([]);
  });

  it('200: together with other fields, newest first, in pages', async () => {
    const [first, second, other] = issued as [(typeof issued)[0], ...typeof issued];
    const start = `gate_sk_v1_${payloadOf(first.secret).slice(0, 4)}…`;
    expect(await idsBy(start, ' AND actor_id=finder')).toEqual([second?.id, first.id]);
    expect(await idsBy(`…${first.secret.slice(-4)}`, ' AND actor_id=other')).toEqual([]);
    const filter = `key_preview="${start}" AND status=KEY_STATUS_ACTIVE`;
    const page = await list('issuedApiKeys', { filter, page_size: '1' });
    const { next_page_token: page_token, issued_api_keys: keys } = page.body;
    expect(keys.map(({ key_id: id }: { key_id: string }) => id)).toEqual([other?.id]);
    const rest = await idsBy(start, ' AND status=KEY_STATUS_ACTIVE', { page_token });
    expect(rest.slice(0, 2)).toEqual([second?.id, first.id]);
  });

  it('400: never a whole secret, which is not repeated', async () => {
    const { secret } = await service.issue();
    const payload = payloadOf(secret);
    for (const text of [secret, `${secret}…`, `gate_sk_v1_${payload.slice(0, 25)}…`, '…k3Z', '…']) {
      const answer = await list('issuedApiKeys', { filter: `key_preview="${text}"` });
      expect(answer.status).toBe(400);
      expect(namedFields(answer)).toEqual(['filter']);
      expect(JSON.stringify(answer.body)).not.toContain(payload.slice(0, 12));
    }
  });

  it('400: imported keys have no preview', async () => {
    const answer = await list('importedApiKeys', { filter: 'key_preview="…k3Zq"' });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('which imported keys do not have');
  });
});
