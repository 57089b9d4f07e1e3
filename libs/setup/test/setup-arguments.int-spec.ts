import { type Json, useFixture } from '@gatehouse/directory-sync/testing';
import { setupOf } from './setup-of.js';

const fixture = useFixture();

const ODD = [undefined, null, 5, NaN, '', 'x', '\u0000', [], {}, { id: {} }, () => 'x'];

/** Every operation, called with invalid arguments. */
const operations = (): [string, (odd: Json) => Promise<Json>][] => {
  const { links, sessions, consents, groups, roles } = setupOf(fixture.test);
  const call = { caller: '', ip: '', requestId: '' };
  const { id } = fixture.directory;
  return [
    ['links.create', (odd) => links.create(odd)],
    ['links.create', (odd) => links.create({ directory_id: id, allow: odd })],
    ['links.getPage', (odd) => links.getPage(odd)],
    ['links.get', (odd) => links.get(odd)],
    ['links.create', (odd) => links.create({ directory_id: id, roles: odd })],
    ['links.revoke', (odd) => links.revoke(odd)],
    ['links.revoke', (odd) => links.revoke(id, { delete_token: odd })],
    ['links.revoke', (odd) => links.revoke(id, odd)],
    ['links.endSession', (odd) => links.endSession(odd)],
    ['sessions.peek', (odd) => sessions.peek(odd)],
    ['sessions.open', (odd) => sessions.open(odd, call)],
    ['sessions.enter', (odd) => sessions.enter(odd)],
    ['sessions.ended', (odd) => sessions.ended(odd)],
    ['sessions.keepStep', (odd) => sessions.keepStep(odd, odd)],
    ['sessions.chooseProvider', (odd) => sessions.chooseProvider(odd, odd, call)],
    ['sessions.createToken', (odd) => sessions.createToken(odd, call)],
    ['sessions.mapping', (odd) => sessions.mapping(odd)],
    ['sessions.changeMapping', (odd) => sessions.changeMapping(odd, odd, odd, call)],
    ['sessions.proof', (odd) => sessions.proof(odd)],
    ['sessions.complete', (odd) => sessions.complete(odd, call)],
    ['groups.get', (odd) => groups.get(odd)],
    ['groups.put', (odd) => groups.put(odd, odd, odd, call)],
    ['roles.get', (odd) => roles.get(odd)],
    ['roles.preview', (odd) => roles.preview(odd, odd, odd)],
    ['roles.put', (odd) => roles.put(odd, odd, odd, call)],
    ['consents.begin', (odd) => consents.begin(odd)],
    ['consents.finish', (odd) => consents.finish(odd, odd, call)],
    ['consents.reading', (odd) => consents.reading(odd)],
  ];
};

it('resolves to data or a 4xx error for any argument, and never throws', async () => {
  const wrong: unknown[] = [];
  for (const [index, [name, operation]] of operations().entries()) {
    for (const odd of ODD) {
      const result = await operation(odd).catch((thrown: unknown) => ({ thrown }));
      const code: unknown = result.error?.code;
      const isCallers = typeof code === 'number' && code >= 400 && code < 500;
      const isDone = result.error === null && 'data' in result;
      if (!isCallers && !isDone) wrong.push([name, index, odd, result]);
    }
  }
  expect(wrong).toEqual([]);
});
