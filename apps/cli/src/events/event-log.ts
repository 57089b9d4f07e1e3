/** The event logs of Gatehouse: that of directories, of keys, and of identities. */
import { type Gatehouse } from '@gatehouse/client';
import { findDirectory } from '../directories/find-directory.js';
import { EXIT, Failure } from '../failure.js';
import { Progress } from '../output/progress.js';
import { counted } from '../output/text.js';

/** An event as webhooks deliver it; a log may add how its delivery went. */
export interface LogEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly sequence: number;
  readonly created_at: string;
  readonly tenant?: string;
  readonly product?: string;
  readonly state?: string;
  readonly attempts?: readonly object[];
}

export type Newest = Pick<LogEvent, 'id' | 'sequence'>;

/** A part of a log; either `after` or `from_time` begins it. */
export interface ReplayWindow {
  readonly after?: string;
  readonly from_time?: string;
  readonly until?: string;
  readonly types?: string[];
  readonly endpoint_id?: string;
}

export interface EventLog {
  /** All events after one, or all, the oldest first. */
  after(id: string | undefined, signal?: AbortSignal): AsyncIterable<LogEvent>;
  /** The newest event; undefined if the log is empty. */
  latest(): Promise<Newest | undefined>;
  replay(window: ReplayWindow): Promise<{ endpoints: number }>;
  resend(id: string, endpoint_id?: string): Promise<LogEvent>;
}

/** Which log, and which part of it. */
export interface LogChoice {
  readonly directory?: string;
  readonly tenant?: string;
  readonly product?: string;
  readonly keys?: boolean;
  readonly identities?: boolean;
}

const PAGE = 1_000;

/** @throws Failure if the options name more than one log, or no directory */
export async function chosenLog(gatehouse: Gatehouse, choice: LogChoice): Promise<EventLog> {
  const { directory, tenant, product, keys, identities } = choice;
  const isOfDirectories = [directory, tenant, product].some((each) => each !== undefined);
  if ([isOfDirectories, keys, identities].filter(Boolean).length > 1) {
    throw new Failure('Choose the log of directories, of keys or of identities.', EXIT.USAGE);
  }
  if (keys) return plainLog(gatehouse.keys.events as PlainEvents);
  if (identities) return plainLog(gatehouse.identities.events as PlainEvents);
  const directoryId = directory && (await findDirectory(gatehouse, directory));
  return directoryLog(gatehouse, { directoryId, tenant, product });
}

function directoryLog(
  { directories: { events } }: Gatehouse,
  scope: { directoryId?: string; tenant?: string; product?: string },
): EventLog {
  const { directoryId } = scope;
  const after: EventLog['after'] = (id, signal) =>
    events.list.all({ ...scope, after: id, limit: PAGE }, { signal });
  return {
    after,
    // The newest of all directories: a part of the log can be read after it too.
    latest: async () => {
      const { id } = await events.latest();
      return id ? events.get({ id }) : undefined;
    },
    replay: (window) => {
      const body = window as Parameters<typeof events.replayAll>[0];
      return directoryId ? events.replay({ ...body, directoryId }) : events.replayAll(body);
    },
    resend: (id, endpoint_id) => events.resend({ id, endpoint_id }),
  };
}

/** What the logs of keys and of identities have in common. */
type PlainEvents = {
  list: {
    all(
      input: { after?: string; page_size?: number },
      options?: { signal?: AbortSignal },
    ): AsyncIterable<LogEvent>;
  };
  replay(window: ReplayWindow): Promise<{ endpoints: number }>;
  resend(input: { id: string; endpoint_id?: string }): Promise<LogEvent>;
};

function plainLog(events: PlainEvents): EventLog {
  const after: EventLog['after'] = (id, signal) =>
    events.list.all({ after: id, page_size: PAGE }, { signal });
  return {
    after,
    // These logs name no newest event.
    latest: () => lastOf(after(undefined)),
    replay: (window) => events.replay(window),
    resend: (id, endpoint_id) => events.resend({ id, endpoint_id }),
  };
}

/** Reads a log to its end. */
async function lastOf(events: AsyncIterable<LogEvent>): Promise<Newest | undefined> {
  const progress = new Progress();
  let [last, count]: [LogEvent | undefined, number] = [undefined, 0];
  for await (const event of events) {
    [last, count] = [event, count + 1];
    progress.update(`Looking for the end of the log: ${counted(count, 'event')}`);
  }
  progress.end();
  return last;
}
