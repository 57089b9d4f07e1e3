import { Plan, type Target } from './plan.js';

const target = (more: Partial<Target>): Target => ({
  object: 'thing',
  desired: {},
  current: {},
  create: () => Promise.resolve(),
  change: () => Promise.resolve(),
  ...more,
});

function planned(...targets: Partial<Target>[]): Plan {
  const plan = new Plan();
  for (const each of targets) plan.compare(target(each));
  return plan;
}

it('changes nothing where all members of the file are there, whatever their order', () => {
  const { steps, unchanged } = planned({
    desired: { a: { x: 1, y: [2] }, left: undefined },
    current: { other: true, a: { y: [2], x: 1 } },
  });
  expect([steps, unchanged]).toEqual([[], 1]);
});

it('names each difference by its path', () => {
  const { steps } = planned({
    desired: {
      scopes: ['a', 'b'],
      rules: [{ role: 'author' }, { role: 'admin' }],
      deep: { x: {} },
    },
    current: {
      scopes: ['a'],
      rules: [{ role: 'editor' }, { role: 'admin' }],
      deep: { x: { y: 1 } },
    },
  });
  expect(steps[0]?.differences).toEqual([
    { path: 'scopes', before: ['a'], after: ['a', 'b'] },
    { path: 'rules[0].role', before: 'editor', after: 'author' },
    { path: 'deep.x.y', before: 1, after: undefined },
  ]);
});

it('sends only the members that differ', async () => {
  const sent: unknown[] = [];
  const change = (changes: unknown) => Promise.resolve(sent.push(changes));
  const { steps } = planned({ desired: { a: 1, b: 2 }, current: { a: 1, b: 3 }, change });
  await steps[0]?.run();
  expect(sent).toEqual([{ b: 2 }]);
});

it('shows, and does not compare, what cannot be read', () => {
  const initial = { secret: '${SECRET}' };
  expect(planned({ initial }).steps).toEqual([]);
  expect(planned({ initial, current: undefined }).steps[0]?.differences).toEqual([
    { path: 'secret', before: undefined, after: '${SECRET}' },
  ]);
});

it('reports what cannot be changed, and what is in the file twice', () => {
  const [fixed, object] = [['type'], 'directory acme/shop'];
  const entry = { object, fixed, desired: { type: 'okta' }, current: { type: 'entra' } };
  expect(planned(entry, entry).problems).toEqual([
    'type of the directory acme/shop cannot be changed from "entra" to "okta".',
    'The file has the directory acme/shop twice.',
    'type of the directory acme/shop cannot be changed from "entra" to "okta".',
  ]);
});

it('deletes in the opposite order', () => {
  const plan = new Plan();
  plan.remove('directory', () => Promise.resolve());
  plan.remove('endpoint', () => Promise.resolve());
  expect(plan.deletions.map(({ object }) => object)).toEqual(['endpoint', 'directory']);
});
