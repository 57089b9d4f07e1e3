import { connect } from '../connection/index.js';
import { DirectoryApi } from './directory-api.js';

const COUNT = 2_500;

interface Row {
  readonly id: string;
}

interface Server {
  /** Of one page, if they are large. */
  readonly rowsMax?: number;
  /** Changes the rows after each page. */
  readonly onPage?: (rows: Row[]) => void;
}

/** Lists rows as the management API does, newest first. */
function apiOf(rows: Row[], { rowsMax = Infinity, onPage = () => undefined }: Server = {}) {
  const answer = (address: string | URL | Request) => {
    const query = new URL(new Request(address).url).searchParams;
    const offset = Number(query.get('pageOffset'));
    const end = offset + Math.min(rowsMax, Number(query.get('pageLimit')));
    const headers = new Headers(rows.length > end ? { link: '<?>; rel="next"' } : {});
    const data = rows.slice(offset, end);
    onPage(rows);
    return Promise.resolve(Response.json({ data, error: null }, { headers }));
  };
  const connection = connect({ url: 'http://gatehouse', key: 'key', fetch: answer });
  return new DirectoryApi(connection, {});
}

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `row-${index}` }));

async function listed(api: DirectoryApi): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of api.list('/users', {})) ids.push(id);
  return ids;
}

it.each([0, 1, 2, 999, 1_000, 1_001, COUNT])('lists %s rows, each once', async (count) => {
  expect(await listed(apiOf(rowsOf(count)))).toEqual(rowsOf(count).map(({ id }) => id));
});

it.each([1, 2, 3, 50])('lists large rows, %s in a page', async (rowsMax) => {
  expect(await listed(apiOf(rowsOf(100), { rowsMax }))).toEqual(rowsOf(100).map(({ id }) => id));
});

it.each([1, 15, 700, 1_500])(
  'leaves out no row when %s others are deleted after each page',
  async (deleted) => {
    const rows = rowsOf(COUNT);
    const ids = new Set(await listed(apiOf(rows, { onPage: (left) => left.splice(0, deleted) })));
    for (const { id } of rows) expect(ids).toContain(id);
  },
);

it.each([1, 1_000])(
  'leaves out no row when %s others are created after each page',
  async (each) => {
    let pages = 0;
    const onPage = (left: Row[]) => {
      pages += 1;
      const created = pages < 20 ? rowsOf(each) : [];
      left.unshift(...created.map(({ id }) => ({ id: `${id} ${pages}` })));
    };
    const ids = new Set(await listed(apiOf(rowsOf(COUNT), { onPage })));
    for (const { id } of rowsOf(COUNT)) expect(ids).toContain(id);
  },
);
