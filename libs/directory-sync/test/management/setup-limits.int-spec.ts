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
