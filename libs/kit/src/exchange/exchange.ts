/**
 * The interfaces of all that the processes of a stack share besides PostgreSQL: messages, counters and queues.
 * There are two sets of adapters: `redis/`, for any number of processes, and `local/`, for one process
 * that has no Redis. The program that starts a service chooses; nothing else knows the choice.
 *
 * None of it holds data that must survive: what has to be done is a row in PostgreSQL.
 */
import { type Queue } from 'bullmq';

export interface Exchange {
  readonly messages: Messages;
  readonly counters: Counters;
  readonly queues: Queues;
  /** The stores that it needs, for readiness. */
  readonly probes: readonly StoreProbe[];
  /** Call it last. Waits for no store that does not answer. */
  close(): Promise<void>;
}

export interface StoreProbe {
  readonly name: string;
  /** What is missing, if the store answers. @throws if it does not answer */
  lack(): Promise<string | undefined>;
}

/** Requests to other services, and hints to all processes. */
export interface Messages {
  /**
   * Asks one of the processes that serve a pattern. Requests and replies are JSON.
   *
   * @returns the reply
   * @throws NoReplyError when none came in time, or any error if nothing can be sent or the handler threw
   */
  request(pattern: string, payload: unknown, timeoutMs: number): Promise<unknown>;

  /** Answers requests from now on. A request is answered by one process. */
  serve(pattern: string, handler: RequestHandler): void;

  /**
   * Sends hints to all processes that listen, in order. They may get lost.
   * @throws when they cannot be sent
   */
  publish(hints: readonly Hint[]): Promise<void>;

  /** Hears the hints of a pattern from now on, also those of this process. */
  listen(pattern: string, listener: HintListener): void;

  /** Serves and hears nothing more, and waits for the requests that were accepted. */
  stop(): Promise<void>;
}

/** @param sender the service that asks */
export type RequestHandler = (data: unknown, sender: string) => Promise<unknown>;

export interface Hint {
  readonly pattern: string;
  readonly payload: unknown;
}

export interface HintListener {
  /** @param sender the service that published it */
  receive(payload: unknown, sender: string): void;
  /** Hints may have been lost until now. Where they can be, it is also called when listening begins. */
  restored?(): void;
}

/** No reply came in time. */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError';
}

/** Counters of limits. */
export interface Counters {
  /**
   * @param prefix of the names of its counters
   * @param onError what the service does without counts; part of the log line
   */
  windows(prefix: string, onError: string): WindowCounter;
  /** @param prefix of the keys of its buckets */
  buckets(prefix: string, onError: string): BucketCounter;
}

/** Counts in fixed windows. Of concurrent calls, exactly as many as wanted see a count within the limit. */
export interface WindowCounter {
  /** Counts once. Never throws. @returns undefined when it cannot be counted */
  count(name: string, windowMs: number): Promise<WindowCount | undefined>;
}

/** The count of one name in its window, including this call. */
export interface WindowCount {
  readonly count: bigint;
  /** Until the window ends. */
  readonly leftMs: number;
}

/**
 * The generic cell rate algorithm.
 *
 * A bucket is stored as its backlog: the microseconds until it is full again. Each unit adds the time
 * in which one unit comes back, and a request is admitted if the backlog stays within the burst. Kept
 * as a duration and not as a point in time, it is exact for any quota. A backlog longer than the window counts
 * as the window.
 */
export interface BucketCounter {
  /**
   * Charges all buckets or none. Their keys have to share a slot of a Redis Cluster. Never throws.
   * @returns undefined when it cannot be counted
   */
  charge(calls: readonly BucketCall[], isPeek: boolean): Promise<BucketCharge | undefined>;
}

/** The request of one call to a bucket. */
export interface BucketCall {
  readonly key: string;
  /** Microseconds in which one unit comes back. */
  readonly unitMicros: number;
  /** Units to charge; below 0 to give back. A cost of 0 is always admitted. */
  readonly cost: number;
  /** Units to charge in advance. At most an eighth of what is left is granted. */
  readonly slice: number;
  readonly burst: number;
  readonly windowMicros: number;
}

export interface BucketCharge {
  /** Whether every bucket had room. If not, none was charged. */
  readonly isAdmitted: boolean;
  readonly buckets: readonly BucketState[];
}

export interface BucketState {
  /** Microseconds until the bucket is full, after what was charged. */
  readonly backlogMicros: number;
  /** Units that were charged in advance. */
  readonly granted: number;
}

/** BullMQ, and a shorter way for jobs that a worker expects. */
export interface Queues {
  /** Whether jobs can be added now. */
  readonly isReady: boolean;

  /** The queue of a name; every call returns the same. @throws when it cannot be reached */
  open(name: string): Promise<Queue>;

  /**
   * Takes jobs from a queue from now on.
   *
   * @param receive logs its failures itself, and never rejects
   * @param concurrency jobs at once
   * @throws when PostgreSQL is away, if it has the queue; a Redis that is away is waited for
   */
  receive<Job>(
    name: string,
    receive: (job: Job) => Promise<void>,
    concurrency: number,
  ): Promise<QueueReceiver>;

  readonly inboxes: Inboxes;
}

export interface QueueReceiver {
  /**
   * Takes no more jobs. Resolves when the queue knows which are done, or does not answer.
   * @param done resolves when no job is under way
   */
  close(done: () => Promise<unknown>): Promise<void>;
}

/**
 * Inboxes of workers, for jobs that bypass the queue (ADR 0049): a job of BullMQ costs some fifty commands,
 * an entry of an inbox seven. The worker that gets a job from the queue attends to the bucket of its source for a
 * while, and reads further jobs of the bucket from its inbox. An entry is a hint.
 */
export interface Inboxes {
  /**
   * Puts entries into the inboxes of the workers that attend to their buckets.
   *
   * @returns for each entry, whether a worker does
   * @throws when the store does not answer
   */
  hand(entries: readonly InboxEntry[]): Promise<boolean[]>;

  /** Makes a worker attend to a bucket, instead of any other. */
  attend(workerId: string, bucket: string, forMs: number): Promise<void>;

  /** Lets entries be handed to a worker for three seconds. */
  open(workerId: string): Promise<void>;

  /** Waits for the next entries of an inbox. */
  reader(workerId: string): InboxReader;

  /** Hands no more entries to a worker. @returns those that it has not read */
  close(workerId: string): Promise<string[]>;
}

export interface InboxEntry {
  readonly bucket: string;
  readonly text: string;
}

export interface InboxReader {
  /**
   * @param most how many it takes, at least one
   * @returns none if none came in time
   * @throws when the store does not answer
   */
  read(seconds: number, most: number): Promise<string[]>;
  /** Ends a read that waits. */
  close(): void;
}
