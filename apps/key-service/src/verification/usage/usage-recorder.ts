/**
 * Counts verifications in memory. A valid one of a cached key without tags of the request is one addition
 * at the key; everything else is done when the counts are taken, every few seconds.
 */
import { credentialKind } from '@gatehouse/crypto';
import { Injectable } from '@nestjs/common';
import { KeyServiceConfig } from '../../config.js';
import { type VerificationKey } from '../../store/keys/verification-key.js';
import { OTHER, UsageCounter } from '../../store/usage/usage-counter.js';
import { type VerificationErrorCode } from '@gatehouse/schemas';
import { outcomeNumber } from './usage-row.js';

const MINUTE_MS = 60_000;
/** Keys that are counted by themselves between two writes of a process. */
export const KEYS_MAX = 20_000;
/** Minutes that wait to be taken; only a process that was suspended has more than two. */
const BATCHES_MAX = 5;

/** Counts of one minute since the last batch. */
export interface UsageBatch {
  readonly minuteMs: number;
  readonly keys: ReadonlyMap<string, UsageCounter>;
  /** Credentials that are no key, by `<outcome> <prefix>`. */
  readonly unknown: ReadonlyMap<string, number>;
}

interface OpenBatch extends UsageBatch {
  readonly keys: Map<string, UsageCounter>;
  readonly unknown: Map<string, number>;
}

export interface CountedVerification {
  readonly error: VerificationErrorCode | undefined;
  readonly key: VerificationKey | null;
  /** The limit that refused; '' for none. */
  readonly limitName: string;
  /** The tags of the request. */
  readonly tags: readonly string[];
  /** 0 unless it is valid. */
  readonly cost: number;
  /** Returns the prefix of a credential that is not a key. */
  readonly credential: string;
}

@Injectable()
export class UsageRecorder {
  /** Verifications that lost their key or their tags, because there were too many. */
  readonly overflows = { keys: 0, tags: 0 };
  private readonly isOn: boolean;
  private readonly prefixes: ReadonlySet<string>;
  private batches: OpenBatch[] = [];
  private current = openBatch(0);

  constructor(config: KeyServiceConfig) {
    this.isOn = config.isUsageRecorded;
    this.prefixes = new Set(config.acceptedPrefixes);
  }

  /** Counts a valid verification without tags of the request. */
  countValid(key: VerificationKey, nowMs: number): void {
    const counter = key.usage;
    // A counter that was taken is closed, so that nothing is added to it.
    if (counter !== undefined && counter.isOpen && nowMs - counter.minuteMs < MINUTE_MS) {
      counter.valid += 1;
      return;
    }
    if (this.isOn) this.counterOf(key, nowMs).valid += 1;
  }

  /** Counts any verification, with its tags, cost and refusing limit. */
  countOutcome(
    { error, key, limitName, tags, cost, credential }: CountedVerification,
    nowMs: number,
  ): void {
    if (!this.isOn) return;
    if (key === null) {
      const { unknown } = this.batchAt(nowMs);
      const name = `${outcomeNumber(error)} ${this.prefixOf(credential)}`;
      unknown.set(name, (unknown.get(name) ?? 0) + 1);
      return;
    }
    const isKept = this.counterOf(key, nowMs).add(outcomeNumber(error), limitName, tags, cost);
    if (!isKept) this.overflows.tags += 1;
  }

  /** Takes what has been counted; new verifications are counted anew. */
  take(): readonly UsageBatch[] {
    const taken = this.batches;
    for (const { keys } of taken) for (const counter of keys.values()) counter.close();
    this.batches = [];
    this.current = openBatch(0);
    return taken;
  }

  private counterOf(key: VerificationKey, nowMs: number): UsageCounter {
    const { keys, minuteMs } = this.batchAt(nowMs);
    const { keyId } = key;
    const known = keys.get(keyId);
    if (known !== undefined) return (key.usage = known);
    if (keys.size < KEYS_MAX) {
      const counter = new UsageCounter(minuteMs, keyId, key.readActorId(), key.tags, key);
      keys.set(keyId, counter);
      return (key.usage = counter);
    }
    this.overflows.keys += 1;
    const other = keys.get(OTHER) ?? new UsageCounter(minuteMs, OTHER, OTHER, []);
    keys.set(OTHER, other);
    return other;
  }

  private batchAt(nowMs: number): OpenBatch {
    const { current } = this;
    if (nowMs - current.minuteMs < MINUTE_MS && nowMs >= current.minuteMs) return current;
    const minuteMs = nowMs - (nowMs % MINUTE_MS);
    const found = this.batches.find((batch) => batch.minuteMs === minuteMs);
    // A clock that jumps must not make more and more of them.
    const isFull = found === undefined && this.batches.length >= BATCHES_MAX;
    this.current = found ?? (isFull ? (this.batches.at(-1) as OpenBatch) : openBatch(minuteMs));
    if (!this.batches.includes(this.current)) this.batches.push(this.current);
    return this.current;
  }

  /** One of the prefixes of the settings, or what else the credential looks like. */
  private prefixOf(credential: string): string {
    const kind = credentialKind(credential);
    if (kind !== 'issued') return kind;
    const prefix = credential.slice(0, credential.indexOf('_v1_'));
    return this.prefixes.has(prefix) ? prefix : 'issued';
  }
}

function openBatch(minuteMs: number): OpenBatch {
  return { minuteMs, keys: new Map(), unknown: new Map() };
}
