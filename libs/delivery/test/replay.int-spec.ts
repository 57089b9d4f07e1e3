import { Replays } from '../src/management/replays.js';
import { SCHEMA, useDelivery } from './fixture.js';

const fixture = useDelivery();

describe('a replay', () => {
  it('sends a part of the log again, in order, beside new events', async () => {
    for (let n = 0; n < 5; n++) await fixture.write(n);
    await fixture.runDue();
    const log = await fixture.log.list(fixture.sourceId, '0', 100);
    const range = { after: log[0]?.sequence ?? '', until: log[3]?.sequence ?? '', types: null };
    await fixture.endpoints.replay(fixture.sql, [fixture.sourceId], range);
    await fixture.write(5);
    expect(await fixture.runDue()).toEqual({ reason: 'idle' });
    expect(fixture.arrived().slice(5)).toEqual([5, 1, 2, 3]);
    expect(await fixture.runDue()).toEqual({ reason: 'idle' });
    expect(fixture.arrived()).toHaveLength(9);
  });

  it('leaves events that still wait to their turn, so that they come once and in order', async () => {
    for (let n = 0; n < 4; n++) await fixture.write(n);
    fixture.receiver.respond((_, index) => ({ status: index < 2 ? 200 : 503 }));
    await fixture.runDue();
    const log = await fixture.log.list(fixture.sourceId, '0', 100);
    const until = log[3]?.sequence ?? '';
    for (const after of ['0', log[1]?.sequence ?? '', log[2]?.sequence ?? '']) {
      const range = { after, until, types: null };
      expect(await fixture.endpoints.replay(fixture.sql, [fixture.sourceId], range)).toHaveLength(
        1,
      );
    }
    fixture.receiver.received.length = 0;
    fixture.receiver.respond(() => ({}));
    await fixture.runDue();
    expect(fixture.arrived().sort()).toEqual([0, 1, 2, 3]);
    expect(fixture.arrived().filter((n) => n > 1)).toEqual([2, 3]);
  });

  it('sends nothing once its worker is to stop', async () => {
    for (let n = 0; n < 3; n++) await fixture.write(n);
    await fixture.runDue();
    const until = await fixture.log.horizon(fixture.sourceId);
    const range = { after: '0', until, types: null };
    await fixture.endpoints.replay(fixture.sql, [fixture.sourceId], range);
    await fixture.write(3);
    fixture.receiver.respond(() => ({ delayMs: 200 }));
    const stop = new AbortController();
    const running = fixture.delivery().runLane(fixture.key(), stop.signal);
    await fixture.receiver.waitFor(4);
    stop.abort();
    expect(await running).toEqual({ reason: 'yielded' });
    expect(fixture.arrived()).toEqual([0, 1, 2, 3]);
  });

  it('delivers a parked event, which is then no longer parked', async () => {
    await fixture.write(1);
    const headers = { 'webhook-delivery': 'abort-message' };
    fixture.receiver.respond(() => ({ status: 400, headers }));
    await fixture.runDue();
    const [{ sequence } = { sequence: '0' }] = await fixture.parked();
    fixture.receiver.respond(() => ({}));
    const range = { after: String(BigInt(sequence) - 1n), until: sequence, types: null };
    await fixture.endpoints.replay(fixture.sql, [fixture.sourceId], range);
    await fixture.runDue();
    expect(fixture.arrived()).toEqual([1, 1]);
    expect(await fixture.parked()).toEqual([]);
  });

  it('is refused while a hundred others of the endpoint are unfinished', async () => {
    for (let n = 0; n < 16; n++) await fixture.write(n);
    await fixture.runDue();
    const numbers = (await fixture.log.list(fixture.sourceId, '0', 100)).map(
      ({ sequence }) => sequence,
    );
    const ranges = numbers.flatMap((after, index) =>
      numbers.slice(index + 1).map((until) => ({ after, until, types: null })),
    );
    for (const range of ranges) {
      await fixture.endpoints.replay(fixture.sql, [fixture.sourceId], range);
    }
    const replays = new Replays({
      sql: fixture.sql,
      schema: SCHEMA,
      wake: () => undefined,
    });
    const whole = { after: undefined, from: undefined, until: undefined, endpointId: undefined };
    const start = (sourceId: string | null) =>
      replays.start(sourceId, { ...whole, types: null }, '0', () => Promise.resolve());
    await expect(start(fixture.sourceId)).rejects.toMatchObject({
      code: 'REPLAY_LIMIT_REACHED',
      message:
        'The limit on unfinished replays of a webhook endpoint has been reached. Wait until one ends.',
    });
    expect(await start(null)).toBe(0);
    await fixture.runDue();
    expect(await start(fixture.sourceId)).toBe(1);
  });
});
