/** What setup links keep to when they are used twice, or many times at once. */
import { type CallContext } from '@gatehouse/service-kit';
import { useReplicas } from '../fixture.js';
import { type TestDirectory } from '../harness.js';

const replicas = useReplicas();
const CALL: CallContext = { caller: 'admin', ip: '192.0.2.1', requestId: 'r' };
let directory: TestDirectory;

beforeEach(async () => {
  directory = await replicas.answering.newDirectory();
});

it('a directory has at most twenty links, also when many are created at the same time', async () => {
  const created = await Promise.all(
    Array.from({ length: 30 }, (_, index) => {
      const { sync } = index % 2 ? replicas.answering : replicas.changing;
      return sync.setupLinks.create({ directory_id: directory.id }, CALL);
    }),
  );
  const refused = created.flatMap(({ error }) => error?.code ?? []);
  expect(refused).toEqual(Array.from({ length: 10 }, () => 409));
});

it('a token in use keeps its day when its replacement is replaced before it was used', async () => {
  const { setupLinks, setupSessions } = replicas.answering.sync;
  const link = await setupLinks.create({ directory_id: directory.id }, CALL);
  const secret = new URL(link.data?.url ?? '').pathname.replace('/setup/', '');
  const opened = await setupSessions.open(secret, CALL);
  const create = async () => {
    const { data } = await setupSessions.createToken(opened.data?.cookie ?? '', CALL);
    return data?.token ?? '';
  };
  const statusOf = async (token: string) =>
    (await directory.send('GET', '/Users', undefined, { apiSecret: token })).status;
  const used = await create();
  await replicas.answering.dataSource.query(
    'UPDATE dsync.scim_tokens SET last_used_at = now() WHERE directory_id = $1',
    [directory.id],
  );
  const lost = await create();
  const last = await create();
  expect(await Promise.all([used, lost, last].map(statusOf))).toEqual([200, 401, 200]);
});
