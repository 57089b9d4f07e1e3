import { eventually } from '@gatehouse/testing';
import { SCHEMA, useDelivery } from './fixture.js';

const fixture = useDelivery();

const expireLeases = () =>
  fixture.database.query(
    `UPDATE ${SCHEMA}.endpoints SET leased_until = now() - interval '1 second'`,
  );
const heldLeases = async () => {
  const [row] = await fixture.database.query<{ count: number }>(
    `SELECT count(*)::integer FROM ${SCHEMA}.endpoints WHERE leased_until > now()`,
  );
  return row?.count;
};

it('renews the leases of all runs whose attempts take long', async () => {
  const other = await fixture.newEndpoint();
  await fixture.write(0);
  let answer: () => void = () => undefined;
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  fixture.receiver.respond(() => ({
    answerBy: (response) => void mayAnswer.then(() => response.end()),
  }));
  const delivery = fixture.delivery({ timeoutSeconds: 20 });
  const runs = [fixture.endpointId, other].map((id) =>
    delivery.runLane({ id, sourceId: fixture.sourceId }),
  );
  await fixture.receiver.waitFor(2);
  await expireLeases();
  await eventually(async () => expect(await heldLeases()).toBe(2));
  expect(await delivery.runLane({ id: other, sourceId: fixture.sourceId })).toEqual({
    reason: 'busy',
  });
  answer();
  expect(await Promise.all(runs)).toEqual([{ reason: 'idle' }, { reason: 'idle' }]);
  expect(await heldLeases()).toBe(0);
});

it('ends a run that has lost its lease, and records nothing of it', async () => {
  await fixture.write(0);
  await fixture.write(1);
  fixture.receiver.respond((_, index) => ({ delayMs: index === 0 ? 0 : 100 }));
  const run = fixture.delivery().runLane(fixture.key());
  await fixture.receiver.waitFor(2);
  await fixture.database.query(
    `UPDATE ${SCHEMA}.endpoints SET leased_by = id, cursor = 0, leased_until = 'infinity'`,
  );
  expect(await run).toEqual({ reason: 'busy' });
  const [row] = await fixture.database.query<{ cursor: string }>(
    `SELECT cursor FROM ${SCHEMA}.endpoints`,
  );
  expect(row?.cursor).toBe('0');
});
