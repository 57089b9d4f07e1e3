/** The import from what the real Polis has stored and answered; `npm run faults` runs that one. */
import { type TestDatabase } from '@gatehouse/testing';
import { openPolisApi } from '../src/polis/api-source.js';
import { openPolisDatabase } from '../src/polis/database-source.js';
import { continueTraffic, type ImportTarget, openImportTarget } from './imported-polis.js';
import { type PolisSource } from '../src/polis/polis-records.js';
import { entraTraffic, oktaTraffic } from './provider-traffic.js';
import { recordedPolis, serveAnswers, storeRecords } from './recorded-polis.js';

const recorded = recordedPolis();
const TRAFFIC = { okta: oktaTraffic, entra: entraTraffic };

let database: TestDatabase;
beforeAll(async () => {
  database = await storeRecords(recorded);
});
afterAll(() => database.drop());

const open: Record<string, () => Promise<PolisSource>> = {
  database: () => openPolisDatabase(database.url, recorded.encryptionKey),
  API: async () => {
    const api = await serveAnswers((path) => Promise.resolve(recorded.answers[path]));
    const { signal } = new AbortController();
    const source = openPolisApi(api.url, 'key', ['shop'], signal);
    const close = async () => {
      await source.close();
      await api.close();
    };
    return {
      directories: () => source.directories(),
      contentOf: (directory) => source.contentOf(directory),
      close,
    };
  },
};

describe.each(Object.keys(open))('by the %s of Polis', (way) => {
  let target: ImportTarget;
  let source: PolisSource;
  beforeAll(async () => {
    target = await openImportTarget();
    source = await open[way]!();
  });
  afterAll(async () => {
    await source.close();
    await target.close();
  });

  it('everything is imported, and a second import writes nothing', async () => {
    const first = await target.importAll(source);
    expect(first.map(({ report }) => [report.tenant, report.conflictCount])).toEqual([
      ['okta', 0],
      ['entra', 0],
    ]);
    for (const { report } of await target.importAll(source)) {
      expect(report).toMatchObject({
        outcome: 'compared',
        conflictCount: 0,
        users: { created: 0, updated: 0, unchanged: 2 },
        groups: { created: 0, updated: 0, unchanged: 1 },
        members: { created: 0, deleted: 0 },
      });
    }
  });

  it.each(['okta', 'entra'] as const)('%s goes on without a 404 or a double', async (name) => {
    const { connection, memory } = recorded.connections[name]!;
    const { id, scim } = connection;
    await continueTraffic(target, TRAFFIC[name], { id, secret: scim.secret }, memory);
  });
});

it('says which setting is missing or wrong when records are encrypted', async () => {
  for (const [key, message] of [
    ['', 'The records of Polis are encrypted'],
    ['x'.repeat(32), 'cannot be decrypted'],
  ] as const) {
    const source = await openPolisDatabase(database.url, key);
    await expect(source.directories()[Symbol.asyncIterator]().next()).rejects.toThrow(message);
    await source.close();
  }
  await expect(openPolisDatabase(database.url, 'short')).rejects.toThrow('32 characters');
});
