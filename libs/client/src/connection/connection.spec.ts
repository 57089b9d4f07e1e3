import { connect } from './connection.js';

const URL = 'https://gatehouse.example';

it.each([
  ['two lines', 'a-secret\nanother'],
  ['a typographic quote', '“a-secret”'],
])('a key with %s is refused at the start, and not repeated', (_, key) => {
  expect(() => connect({ url: URL, key })).toThrow(/^The key for Gatehouse has (?!.*secret)/);
});

it('blanks around a key, such as the end of a line, do not count', async () => {
  const sent: unknown[] = [];
  const { send } = connect({
    url: URL,
    key: 'a-secret\n',
    fetch: (_url, init) => {
      sent.push(init?.headers);
      return Promise.resolve(new Response());
    },
  });
  await send({ method: 'GET', path: '/' });
  expect(sent).toEqual([{ authorization: 'Bearer a-secret' }]);
});

it.each(['gatehouse:8089', 'https://user:password@gatehouse.example'])(
  'the address %s is refused at the start',
  (url) => {
    expect(() => connect({ url, key: 'key' })).toThrow(/^The address(?!.*password)/);
  },
);
