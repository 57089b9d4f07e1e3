/** `expiring_thresholds` of a key: how long before its expiry it is announced. */
import { type Answer, eventually } from '@gatehouse/testing';
import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService({ KEY_EXPIRY_SCAN_INTERVAL: '1s' });
});
afterAll(() => service.close());

const issue = async (thresholds?: unknown) =>
  (await service.issue({ ttl: '60d', expiring_thresholds: thresholds })).key;
const patch = (keyId: string, mask: string, body: object) =>
  service.admin('PATCH', `/issuedApiKeys/${keyId}?update_mask=${mask}`, body);
const thresholdsOf = ({ body }: Answer) => body.expiring_thresholds as unknown;
const WEEK_AND_DAY = ['604800s', '86400s'];

describe('201', () => {
  it('a key has the thresholds that it is issued with, each once', async () => {
    const key = await issue(['7d', '24h', '1d']);
    expect(key.expiring_thresholds).toEqual(WEEK_AND_DAY);
    const read = await service.admin('GET', `/issuedApiKeys/${key.key_id}`);
    expect(read.body).toEqual(key);
    expect((await issue([])).expiring_thresholds).toEqual([]);
  });

  it('a key without them has no such member', async () => {
    for (const thresholds of [undefined, null]) {
      expect(await issue(thresholds)).not.toHaveProperty('expiring_thresholds');
    }
  });

  it('imported keys have them as well, one by one and in a batch', async () => {
    const fields = { name: 'Raw', actor_id: 'raw', expiring_thresholds: ['7d', '1d'] };
    const one = await service.admin('POST', '/importedApiKeys', {
      ...fields,
      raw_key: 'raw-1-raw',
    });
    const batch = await service.admin('POST', '/importedApiKeys:batchCreate', {
      requests: [
        { ...fields, raw_key: 'raw-2-raw' },
        { ...fields, raw_key: 'raw-3-raw', expiring_thresholds: ['1y1y1y1y1y1y1y1y1y1y1s'] },
      ],
    });
    const [first, second] = batch.body.results;
    expect(thresholdsOf(one)).toEqual(WEEK_AND_DAY);
    expect(first.imported_api_key.expiring_thresholds).toEqual(WEEK_AND_DAY);
    expect(second.error_code).toBe('BATCH_CREATE_IMPORTED_API_KEYS_ERROR_INVALID_ARGUMENT');
  });

  it('a rotation keeps them, unless it sets others', async () => {
    const key = await issue(['7d', '1d']);
    const rotate = (keyId: string, body: object) =>
      service.admin('POST', `/issuedApiKeys/${keyId}:rotate`, { grace_period: '1h', ...body });
    const kept = await rotate(key.key_id, {});
    expect(kept.body.issued_api_key.expiring_thresholds).toEqual(WEEK_AND_DAY);
    const other = await rotate(kept.body.issued_api_key.key_id, { expiring_thresholds: [] });
    expect(other.body.issued_api_key.expiring_thresholds).toEqual([]);
    expect(other.body.old_issued_api_key.expiring_thresholds).toEqual(WEEK_AND_DAY);
  });
});

describe('200', () => {
  it('an update sets them, and a mask resets them', async () => {
    const { key_id: id } = await issue();
    const set = await service.admin('PATCH', `/issuedApiKeys/${id}`, {
      expiring_thresholds: ['7d', '1d'],
    });
    expect(thresholdsOf(set)).toEqual(WEEK_AND_DAY);
    expect(thresholdsOf(await patch(id, 'name', { name: 'Other' }))).toEqual(WEEK_AND_DAY);
    const emptyWithoutMask = await service.admin('PATCH', `/issuedApiKeys/${id}`, {
      expiring_thresholds: [],
    });
    expect(thresholdsOf(emptyWithoutMask)).toEqual(WEEK_AND_DAY);
    const mask = 'expiring_thresholds';
    expect(thresholdsOf(await patch(id, mask, { expiring_thresholds: [] }))).toEqual([]);
    for (const body of [{}, { expiring_thresholds: null }]) {
      const reset = await patch(id, 'expiringThresholds', body);
      expect(reset.body).not.toHaveProperty(mask);
    }
  });

  it('an update accepts the record as it was read', async () => {
    const key = await issue(['7d', '1d']);
    const answer = await patch(key.key_id, '*', key);
    expect(answer.body).toEqual({ ...key, update_time: answer.body.update_time });
  });
});

describe('400', () => {
  it.each([
    ['7d', ['expiring_thresholds']],
    [Array.from({ length: 11 }, (_, n) => `${n + 1}d`), ['expiring_thresholds']],
    [
      ['59s', '7d', '3651d', '7', 7, null, '', '-1d', '7D'],
      [0, 2, 3, 4, 5, 6, 7, 8].map((n) => `expiring_thresholds[${n}]`),
    ],
  ])('names each fault of %j', async (thresholds, fields) => {
    const fault = { name: 'Test', actor_id: 'a', expiring_thresholds: thresholds };
    const issued = await service.admin('POST', '/issuedApiKeys', fault);
    expect([issued.status, namedFields(issued)]).toEqual([400, fields]);
    const { key_id: id } = await issue();
    const updated = await patch(id, '*', fault);
    expect([updated.status, namedFields(updated)]).toEqual([400, fields]);
  });

  it('a misspelled name is answered with the right one', async () => {
    const fields = { name: 'Test', actor_id: 'a', expiring_treshold: ['7d'] };
    const { body } = await service.admin('POST', '/issuedApiKeys', fields);
    expect(body.error.message).toContain('expiring_thresholds');
  });
});

it('a process announces the key by its own thresholds', async () => {
  const [own, none] = await Promise.all(
    [['1m'], []].map((expiring_thresholds) => service.issue({ ttl: '62s', expiring_thresholds })),
  );
  await eventually(async () => {
    const { body } = await service.admin('GET', '/events?type=key.expiring');
    const events = body.events as { data: { key_id: string; threshold: string } }[];
    expect(events.map(({ data }) => [data.key_id, data.threshold])).toEqual([
      [own?.key.key_id, '60s'],
    ]);
  });
  const [row] = await service.database.query<{ next: Date | null }>(
    'SELECT next_expiring_time AS next FROM keys.api_keys WHERE key_id = $1',
    [none?.key.key_id],
  );
  expect(row).toEqual({ next: null });
});
