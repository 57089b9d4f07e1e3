/**
 * Sends what becomes of the people of linked directories to the key service: events as they come, in the
 * lane of `KEY_SERVICE_ENDPOINT`, and all people of a directory after changes without events (`key_feeds`).
 *
 * The number of a snapshot is drawn from the log, and the users are read when each event before it is
 * committed or never will be. So the snapshot contains those events, and a later change has a higher number.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliveryLogger, type InternalReceiver, type StoredEvent } from '@gatehouse/delivery';
import { type Sql } from '@gatehouse/kit/sql';
import {
  type ApplyPeopleReply,
  type ApplyPeopleRequest,
  PEOPLE_MAX,
  type PersonChange,
} from '@gatehouse/schemas';
import { NO_DIRECTORY } from '../directories/directory.sql.js';
import { actorIdsOf, type Person } from './actor-ids.js';
import { type DueFeed, KeyFeedRepository, type LinkedDirectory } from './key-feed.repository.js';

/** Asks the key service. @throws without a reply */
export type ApplyPeople = (request: ApplyPeopleRequest) => Promise<ApplyPeopleReply>;

/** Directories that are sent at once, and how many of them may be large. */
const FEEDS_MAX = 4;
const LARGE_FEEDS_MAX = 2;
/** Requests in a row about the same events; a reply may say that a part is left. */
const REPEATS_MAX = 100;
const HORIZON_POLL_MS = 10;

export class KeyFeed {
  private readonly repository: KeyFeedRepository;
  private readonly underWay = new Set<Promise<void>>();
  private large = 0;
  private hasResumed = false;

  constructor(
    sql: Sql,
    private readonly apply: ApplyPeople,
    private readonly logger: DeliveryLogger,
  ) {
    this.repository = new KeyFeedRepository(sql);
  }

  /** Receives the events of the lanes. Without a link, there is nothing to say. */
  readonly receiver: InternalReceiver = {
    deliver: async (directoryId, events) => {
      const directory = await this.repository.linked(directoryId);
      if (!directory) return;
      const people = events.map((event) => changeOf(event, directory));
      await applyWholly(this.apply, { ...requestOf(directoryId, directory), people });
    },
  };

  /** Begins to send the directories that are due, unless enough are under way. Returns at once. */
  start(signal: AbortSignal): void {
    if (this.underWay.size >= FEEDS_MAX || signal.aborted) return;
    const work = this.sendDue(signal)
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'people not sent to the key service; it is tried again');
      })
      .finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  /** Resolves when nothing is under way. */
  async ended(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  /** Sends one directory after the other until none is due. */
  private async sendDue(signal: AbortSignal): Promise<void> {
    if (!this.hasResumed) await this.repository.resumeLanes();
    this.hasResumed = true;
    while (!signal.aborted) {
      const feed = await this.repository.claim(randomUUID(), this.large < LARGE_FEEDS_MAX);
      if (!feed) return;
      if (feed.isLarge) this.large += 1;
      this.start(signal);
      let hasFailed = true;
      try {
        await this.send(feed, signal);
        hasFailed = false;
      } finally {
        if (feed.isLarge) this.large -= 1;
        await this.repository.release(feed, hasFailed);
      }
    }
  }

  /** Ends early when the signal aborts, the lease is lost, or the directory has to be sent anew. */
  private async send(feed: DueFeed, signal: AbortSignal): Promise<void> {
    const { directoryId, tenant, product } = feed;
    const directory = await this.repository.linked(directoryId);
    if (!directory) {
      const snapshot = { as_of: await this.repository.nextNumber(), is_complete: true };
      const nothing = { link: null, people: [], snapshot };
      await applyWholly(this.apply, { source_id: directoryId, tenant, product, ...nothing });
      return this.repository.delete(feed);
    }
    const sequence = await this.repository.nextNumber();
    while (!(await this.repository.isSettled(directoryId, sequence))) {
      if (signal.aborted) return;
      await sleep(HORIZON_POLL_MS);
    }
    let after = NO_DIRECTORY;
    for (;;) {
      const users = await this.repository.users(directoryId, after);
      const people = users.map((user) => personOf(user, directory, sequence));
      const snapshot = { as_of: sequence, is_complete: users.length === 0 };
      const request = { ...requestOf(directoryId, directory), people, snapshot };
      do {
        if (signal.aborted || !(await this.repository.hold(feed))) return;
      } while (!(await this.apply(request)).is_done);
      if (snapshot.is_complete) return this.repository.finish(feed);
      after = users.at(-1)?.id ?? after;
    }
  }
}

/**
 * Asks until the key service is done with a request about any number of people.
 *
 * @throws without a reply, or if it does not end
 */
export async function applyWholly(apply: ApplyPeople, request: ApplyPeopleRequest): Promise<void> {
  let start = 0;
  for (let repeat = 0; repeat < REPEATS_MAX; repeat++) {
    const people = request.people.slice(start, start + PEOPLE_MAX);
    if ((await apply({ ...request, people })).is_done) start += PEOPLE_MAX;
    if (start > 0 && start >= request.people.length) return;
  }
  throw new Error('the key service is not done with a request');
}

function requestOf(directoryId: string, { tenant, product, link }: LinkedDirectory) {
  return { source_id: directoryId, tenant, product, link, snapshot: null };
}

function changeOf({ type, data, sequence }: StoredEvent, directory: LinkedDirectory): PersonChange {
  const person = personOf(data as Person, directory, sequence);
  return type === 'user.deleted' ? { ...person, state: 'deleted' } : person;
}

function personOf(
  person: Person,
  { link, attributeMapping }: LinkedDirectory,
  sequence: string,
): PersonChange {
  return {
    user_id: person.id,
    actor_ids: actorIdsOf(person, link, attributeMapping),
    state: person.active ? 'active' : 'inactive',
    sequence,
  };
}
