/** Makes rows of what a process counted: one for each series that a verification belongs to. */
import { OTHER, type UsageCell, type UsageCounter } from '../../store/usage/usage-counter.js';
import { type UsageBatch } from './usage-recorder.js';
import { SERIES } from '../../store/usage/usage.types.js';
import { type UsageRow } from './usage-row.js';

/** Tags of one key and of all keys, in a day (UTC) and process; further ones are `_other`. */
export const TAGS_OF_KEY_MAX = 32;
export const TAGS_MAX = 1_000;
/** Pairs of a key and a tag. */
const KEY_TAGS_MAX = 100_000;
const DAY_MS = 86_400_000;

type Add = (row: UsageRow) => void;

export class UsageExpansion {
  private dayMs = 0;
  private readonly tags = new Set<string>();
  private readonly tagsOfKeys = new Map<string, Set<string>>();
  private keyTags = 0;

  /** @param overflows counts the verifications that lost a tag */
  constructor(private readonly overflows: { tags: number }) {}

  expand({ minuteMs: atMs, keys, unknown }: UsageBatch, add: Add): void {
    this.startDay(atMs);
    for (const counter of keys.values()) this.expandKey(counter, atMs, add);
    for (const [name, count] of unknown) {
      const [outcome, prefix] = name.split(' ') as [string, string];
      const row = {
        atMs,
        tag: '',
        outcome: Number(outcome),
        limitName: '',
        actorId: '',
        count,
        cost: 0,
      };
      add({ ...row, series: SERIES.prefix, subject: prefix });
      add({ ...row, series: SERIES.all, subject: '' });
    }
  }

  private expandKey(counter: UsageCounter, atMs: number, add: Add): void {
    const { keyId, actorId, valid } = counter;
    const cells: UsageCell[] = [...counter.cells.values()];
    if (valid > 0) cells.push({ outcome: 0, limitName: '', tags: [], count: valid, cost: valid });
    for (const { outcome, limitName, tags, count, cost } of cells) {
      const row = { atMs, tag: '', outcome, limitName, actorId: '', count, cost };
      add({ ...row, series: SERIES.key, subject: keyId, actorId });
      add({ ...row, series: SERIES.actor, subject: actorId });
      add({ ...row, series: SERIES.all, subject: '' });
      if (tags.length + counter.tags.length === 0) continue;
      const all = [...new Set([...counter.tags, ...tags])];
      const ofKey = new Set(all.map((tag) => this.tagOfKey(keyId, tag)));
      if (ofKey.has(OTHER)) this.overflows.tags += count;
      for (const tag of ofKey) add({ ...row, series: SERIES.keyTag, subject: keyId, actorId, tag });
      for (const tag of new Set([...ofKey].map((each) => this.tagOfAll(each)))) {
        add({ ...row, series: SERIES.tag, subject: '', tag });
      }
    }
  }

  private startDay(atMs: number): void {
    const dayMs = atMs - (atMs % DAY_MS);
    if (dayMs <= this.dayMs) return;
    this.dayMs = dayMs;
    this.tags.clear();
    this.tagsOfKeys.clear();
    this.keyTags = 0;
  }

  private tagOfKey(keyId: string, tag: string): string {
    const known = this.tagsOfKeys.get(keyId);
    if (known?.has(tag)) return tag;
    if (tag === OTHER || this.keyTags >= KEY_TAGS_MAX) return OTHER;
    if (known === undefined) this.tagsOfKeys.set(keyId, new Set([tag]));
    else if (known.size >= TAGS_OF_KEY_MAX) return OTHER;
    else known.add(tag);
    this.keyTags += 1;
    return tag;
  }

  private tagOfAll(tag: string): string {
    if (tag === OTHER || this.tags.has(tag)) return tag;
    if (this.tags.size >= TAGS_MAX) return OTHER;
    this.tags.add(tag);
    return tag;
  }
}
