/** Requests and hints between services: the same over Redis and in one process. */
import { eventually } from '@gatehouse/testing';
import { type Exchange, NoReplyError, type RequestHandler } from '../../src/exchange/index.js';
import { type ExchangeProcess, type ExchangeStore, STORES } from './exchange-stores.js';

describe.each(STORES)('messages of %s', (kind, openStore) => {
  let store: ExchangeStore;
  let process: ExchangeProcess;
  let asker: Exchange;
  let answerer: Exchange;

  beforeAll(async () => {
    store = await openStore();
  });
  beforeEach(async () => {
    process = store.start();
    asker = await process.open('asker');
    answerer = await process.open('answerer');
  });
  afterEach(async () => {
    await Promise.all([asker.close(), answerer.close()]);
    await process.close();
  });
  afterAll(() => store.close());

  const serve = async (pattern: string, handler: RequestHandler) => {
    answerer.messages.serve(pattern, handler);
    await store.subscribed(pattern, 1);
  };
  const request = (pattern: string, payload: unknown = {}, timeoutMs = 10_000) =>
    asker.messages.request(pattern, payload, timeoutMs);
  /** A handler that answers when it is released. */
  const heldHandler = () => {
    const begun: unknown[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const handler = async (data: unknown) => {
      begun.push(data);
      await released;
      return data;
    };
    return { begun, handler, release: () => release() };
  };

  it('answer a request with what the handler returns, and tell it the service that asks', async () => {
    await serve('test.sum', (data, sender) => {
      const sum = (data as number[]).reduce((a, b) => a + b);
      return Promise.resolve({ sum, sender });
    });
    expect(await request('test.sum', [1, 2, 3])).toEqual({ sum: 6, sender: 'asker' });
  });

  it('carry values as JSON, so that the sides share none', async () => {
    const kept: { list: number[]; more?: string }[] = [];
    await serve('test.keep', (data) => {
      kept.push(data as { list: number[] });
      return Promise.resolve(kept[0]);
    });
    const payload = { list: [1], left: undefined, at: new Date(0) };
    const reply = (await request('test.keep', payload)) as { list: number[] };
    expect(reply).toStrictEqual({ list: [1], at: '1970-01-01T00:00:00.000Z' });
    reply.list.push(2);
    expect(kept).toStrictEqual([{ list: [1], at: '1970-01-01T00:00:00.000Z' }]);
    kept[0]?.list.push(3);
    expect(payload.list).toEqual([1]);
  });

  it('answer requests at once, each with its own reply', async () => {
    await serve('test.echo', (data) => Promise.resolve(data));
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    expect(await Promise.all(numbers.map((n) => request('test.echo', n)))).toEqual(numbers);
  });

  it('reject a request whose handler throws, and answer the next', async () => {
    await serve('test.odd', (data) =>
      Number(data) % 2 === 0 ? Promise.reject(new Error('even')) : Promise.resolve(data),
    );
    const error: unknown = await request('test.odd', 2).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(NoReplyError);
    expect(await request('test.odd', 3)).toBe(3);
  });

  it('reject a request that no service answers', async () => {
    const error: unknown = await request('test.none', {}, 100).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    // Over Redis, another process might.
    expect(error instanceof NoReplyError).toBe(kind === 'Redis');
  });

  it('reject a request with NoReplyError when no reply comes in time', async () => {
    const { handler, release } = heldHandler();
    await serve('test.held', handler);
    await expect(request('test.held', {}, 100)).rejects.toThrow(NoReplyError);
    release();
  });

  it('answer what was accepted before they stop, and accept no more', async () => {
    const { begun, handler, release } = heldHandler();
    await serve('test.held', handler);
    const ended: string[] = [];
    const replies = [1, 2].map(async (n) => {
      const reply = await request('test.held', n);
      ended.push('answered');
      return reply;
    });
    await eventually(() => expect(begun).toHaveLength(2));
    const stopped = answerer.messages.stop().then(() => ended.push('stopped'));
    await store.subscribed('test.held', 0);
    await expect(request('test.held', 3, 100)).rejects.toThrow();
    release();
    expect(await Promise.all(replies)).toEqual([1, 2]);
    await stopped;
    expect(begun).toEqual([1, 2]);
    expect(ended).toContain('stopped');
  });

  it('bring hints to all that listen, in order, also to their sender', async () => {
    const heard: Record<string, unknown[]> = { asker: [], answerer: [], other: [] };
    const other = await process.open('other');
    const hears = (exchange: Exchange, service: string) =>
      exchange.messages.listen('test.happened', {
        receive: (payload, sender) => void heard[service]?.push([payload, sender]),
      });
    hears(asker, 'asker');
    hears(answerer, 'answerer');
    hears(other, 'other');
    await store.subscribed('test.happened', 3);
    const numbers = Array.from({ length: 250 }, (_, n) => n);
    await asker.messages.publish(
      numbers.map((n) => ({ pattern: n === 7 ? 'test.unheard' : 'test.happened', payload: { n } })),
    );
    const expected = numbers.filter((n) => n !== 7).map((n) => [{ n }, 'asker']);
    await eventually(() =>
      expect(heard).toEqual({ asker: expected, answerer: expected, other: expected }),
    );
    await other.close();
  });

  it('give each listener a hint of its own', async () => {
    const heard: { list: number[] }[] = [];
    const receive = (payload: unknown) => {
      (payload as { list: number[] }).list.push(2);
      heard.push(payload as { list: number[] });
    };
    for (const { messages } of [asker, answerer]) messages.listen('test.shared', { receive });
    await store.subscribed('test.shared', 2);
    const payload = { list: [1] };
    await asker.messages.publish([{ pattern: 'test.shared', payload }]);
    await eventually(() => expect(heard).toEqual([{ list: [1, 2] }, { list: [1, 2] }]));
    expect(payload).toEqual({ list: [1] });
  });

  it('bring no hint to a service that has stopped', async () => {
    const heard: string[] = [];
    const hears = ({ messages }: Exchange, service: string) =>
      messages.listen('test.late', { receive: () => void heard.push(service) });
    hears(asker, 'asker');
    hears(answerer, 'answerer');
    await store.subscribed('test.late', 2);
    await answerer.messages.stop();
    await store.subscribed('test.late', 1);
    await asker.messages.publish([{ pattern: 'test.late', payload: 1 }]);
    await eventually(() => expect(heard).toEqual(['asker']));
  });
});
