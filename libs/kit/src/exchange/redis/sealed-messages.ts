/**
 * Redis is not trusted: reading it reveals only sealed texts, and writing to it forges neither a
 * request nor a reply. A message carries its sender and time, and is not accepted after
 * `AGE_MAX_MS`; a process accepts a request once. A reply opens only for the request and the service
 * that it answers.
 */
import { type KeyRing, type MessagePlace, openMessage, sealMessage } from '@gatehouse/crypto';
import { isObject } from '../../input/json-text.js';
import { currentTraceparent } from '../../tracing/traces.js';
import { RecentIds } from './recent-ids.js';

/** Longer than any caller waits; it allows for clocks that differ. */
const AGE_MAX_MS = 30_000;

export interface OpenedMessage {
  /** The service that sent it. */
  readonly sender: string;
  readonly data: unknown;
  /** The trace that a request is part of, if it is recorded. */
  readonly traceparent?: string;
}

/**
 * The messages of one service. Opening an unreadable or late message gives undefined; for one whose time is
 * too far from the clock of this process, it also calls `onClockDifference`.
 */
export class SealedMessages {
  /** By pattern, so that many requests of one kind do not block the others. */
  private readonly accepted = new Map<string, RecentIds>();

  constructor(
    private readonly ring: KeyRing,
    private readonly service: string,
    private readonly onClockDifference: (seconds: number) => void = () => undefined,
  ) {}

  sealRequest(pattern: string, id: string, data: unknown): string {
    return this.seal({ direction: 'request', pattern, binding: id }, data);
  }

  openRequest(pattern: string, id: string, text: unknown): OpenedMessage | undefined {
    const request = this.open({ direction: 'request', pattern, binding: id }, text);
    return request && this.acceptedOf(pattern).add(id) ? request : undefined;
  }

  sealReply(pattern: string, id: string, asker: string, data: object): string {
    return this.seal({ direction: 'reply', pattern, binding: `${id}.${asker}` }, data);
  }

  /** The reply to a request of this service. */
  openReply(pattern: string, id: string, text: unknown): OpenedMessage | undefined {
    return this.open({ direction: 'reply', pattern, binding: `${id}.${this.service}` }, text);
  }

  /** One message for several events, because sealing each would cost more than the rest. */
  sealEvents(pattern: string, payloads: readonly unknown[]): string {
    return this.seal({ direction: 'event', pattern, binding: '' }, payloads);
  }

  /** The events of a message, in order. */
  openEvents(pattern: string, text: unknown): OpenedMessage[] {
    const message = this.open({ direction: 'event', pattern, binding: '' }, text);
    if (!Array.isArray(message?.data)) return [];
    const { sender, data } = message;
    return data.map((payload: unknown) => ({ sender, data: payload }));
  }

  private acceptedOf(pattern: string): RecentIds {
    const known = this.accepted.get(pattern);
    if (known !== undefined) return known;
    const ids = new RecentIds(2 * AGE_MAX_MS);
    this.accepted.set(pattern, ids);
    return ids;
  }

  private seal(place: MessagePlace, data: unknown): string {
    const message = { sender: this.service, sent_at_ms: Date.now(), data };
    const traceparent = place.direction === 'request' ? currentTraceparent() : undefined;
    return sealMessage(this.ring, place, { ...message, ...(traceparent && { traceparent }) });
  }

  private open(place: MessagePlace, text: unknown): OpenedMessage | undefined {
    const message = typeof text === 'string' ? this.tryToOpen(place, text) : undefined;
    if (!isObject(message)) return undefined;
    const { sender, sent_at_ms: sentAtMs, data, traceparent } = message;
    if (typeof sender !== 'string' || typeof sentAtMs !== 'number') return undefined;
    const ageMs = Date.now() - sentAtMs;
    if (Math.abs(ageMs) > AGE_MAX_MS) {
      this.onClockDifference(Math.round(ageMs / 1000));
      return undefined;
    }
    return typeof traceparent === 'string' ? { sender, data, traceparent } : { sender, data };
  }

  private tryToOpen(place: MessagePlace, text: string): unknown {
    try {
      return openMessage(this.ring, place, text);
    } catch {
      return undefined;
    }
  }
}
