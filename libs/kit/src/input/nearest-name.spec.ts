import { nearestName } from './nearest-name.js';

const KNOWN = ['name', 'actor_id', 'scopes', 'webhook_url', 'ttl'];

describe('nearestName', () => {
  it.each([
    ['nmae', 'name'],
    ['Name', 'name'],
    ['scope', 'scopes'],
    ['actorId', 'actor_id'],
    ['acotr_id', 'actor_id'],
    ['webhook', undefined],
    ['webhookurI', 'webhook_url'],
    ['ttt', 'ttl'],
    ['xyz', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('of %j is %j', (name, nearest) => {
    expect(nearestName(name, KNOWN)).toBe(nearest);
  });
});
