/** The receivers of webhooks: they answer as the seed wants, lose answers, and keep what arrived. */
import { OutboundClient, OutboundError, type Received } from '@gatehouse/kit/outbound';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Process, type World } from '@gatehouse/testing/simulation';

export interface Arrival {
  endpointId: string;
  eventId: string;
  sequence: number;
  status: number;
  headers: Received['headers'];
}

/** Chances of answers while the weather is bad. */
const DOWN = 0.12;
const LOST = 0.04;
const SLOW = 0.1;
const GONE = 0.01;
const THROTTLED = 0.02;
const SLOW_MS = 14_000;
const ABORT = { 'webhook-delivery': 'abort-message' };

export class Receivers {
  readonly arrivals: Arrival[] = [];
  /** Events that are refused, and whether for good. */
  readonly poison = new Map<string, 'refused' | 'aborted'>();
  readonly pings: string[] = [];
  isCalm = false;
  /** Looks at each event that is about to be sent. */
  onRequest: (endpointId: string, sender: Process | undefined) => void = () => undefined;
  onArrival: (arrival: Arrival) => void = () => undefined;

  constructor(
    private readonly world: World,
    private readonly mayLose: boolean,
  ) {}

  /** Has every outbound request come here. @returns what undoes it */
  attach(): () => void {
    const { prototype } = OutboundClient;
    const former = Reflect.get(prototype, 'post') as unknown;
    Reflect.set(prototype, 'post', (...request: Parameters<OutboundClient['post']>) =>
      this.post(...request),
    );
    return () => void Reflect.set(prototype, 'post', former);
  }

  private async post(
    url: string,
    _headers: unknown,
    body: string | Uint8Array,
    timeoutMs: number,
  ): Promise<Received> {
    const { world } = this;
    const sender = world.process;
    const endpointId = new URL(url).hostname.split('.')[0] ?? '';
    const text = Buffer.from(body as Uint8Array).toString();
    const events = [JSON.parse(text)].flat() as { event: string; id: string; sequence: number }[];
    const isPing = events[0]?.event === 'webhook.ping';
    if (!isPing) this.onRequest(endpointId, sender);
    await world.step('request');
    const isLost = this.mayLose && !this.isCalm && world.chance(LOST);
    if (isLost && world.chance(0.5)) throw new OutboundError('the connection broke');
    const answer = isPing ? this.weather() : this.answer(events);
    if (isPing && answer.status < 300) this.pings.push(endpointId);
    for (const { id: eventId, sequence } of isPing ? [] : events) {
      const arrival = { endpointId, eventId, sequence, ...answer };
      this.arrivals.push(arrival);
      this.onArrival(arrival);
    }
    if (!this.isCalm && world.chance(SLOW)) {
      const slowMs = world.pick(SLOW_MS);
      await sleep(Math.min(slowMs, timeoutMs));
      if (slowMs >= timeoutMs) throw new OutboundError('no answer in time');
    }
    await world.step('answer');
    world.process = sender;
    if (isLost) throw new OutboundError('the connection broke');
    if (sender?.isDead) await new Promise(() => undefined);
    return { ...answer, text: '', isCut: false };
  }

  private answer(events: readonly { id: string }[]): Pick<Arrival, 'status' | 'headers'> {
    const [poison] = events.flatMap(({ id }) => this.poison.get(id) ?? []);
    const weather = this.weather();
    if (weather.status !== 200 || poison === undefined || this.isCalm) return weather;
    return { status: 422, headers: poison === 'aborted' ? ABORT : {} };
  }

  private weather(): Pick<Arrival, 'status' | 'headers'> {
    const { world } = this;
    if (this.isCalm) return { status: 200, headers: {} };
    if (world.chance(DOWN)) return { status: 500, headers: {} };
    if (world.chance(GONE)) return { status: 410, headers: {} };
    if (world.chance(THROTTLED)) return { status: 429, headers: { 'retry-after': '7' } };
    return { status: 200, headers: {} };
  }
}
