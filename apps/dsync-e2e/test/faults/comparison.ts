/**
 * The program that compares what the directories accepted, the event log, what arrived at the
 * receiver, and the recorded attempts. All fault tests end with it.
 */
import { type ReceivedWebhook, type TestDatabase } from '@gatehouse/testing';
import { Webhook } from 'standardwebhooks';

export interface Compared {
  database: TestDatabase;
  received: readonly ReceivedWebhook[];
  /** The directories, with the changes that each accepted. */
  directories: readonly { id: string; changes: readonly string[] }[];
  /** The secret of all webhooks. */
  secret: string;
}

export interface Allowance {
  /** Deliveries that may be repeated, because a killed worker had not recorded them. */
  repeatsMax?: number;
  /** Events that no delivery was accepted of, by id: parked ones. */
  undelivered?: readonly string[];
}

export interface LoggedEvent {
  id: string;
  sequence: number;
  change: string;
  directoryId: string;
}

export interface Arrival {
  id: string;
  directoryId: string;
  sequence: number;
  change: string;
  /** The answer of the receiver. */
  status: number | undefined;
}

export interface RecordedAttempts {
  eventId: string;
  /** Attempts that were answered. */
  answered: number;
  accepted: number;
}

/** All that is compared. */
export interface Evidence {
  directories: Compared['directories'];
  log: readonly LoggedEvent[];
  arrivals: readonly Arrival[];
  attempts: readonly RecordedAttempts[];
}

const SHOWN_MAX = 10;

/** @returns what is wrong; empty if nothing was lost, doubled, reordered or altered */
export async function compare(compared: Compared, allowance: Allowance = {}): Promise<string[]> {
  const { database, directories } = compared;
  const ids = directories.map(({ id }) => id);
  const evidence = {
    directories,
    log: await logOf(database, ids),
    arrivals: arrivalsOf(compared).filter(({ directoryId }) => ids.includes(directoryId)),
    attempts: await attemptsOf(database, ids),
  };
  const faults = faultsIn(evidence, allowance);
  const left = faults.length - SHOWN_MAX;
  return left > 0 ? [...faults.slice(0, SHOWN_MAX), `and ${left} more`] : faults;
}

/** Lists the faults that the evidence shows. */
export function faultsIn(evidence: Evidence, allowance: Allowance = {}): string[] {
  const { directories, log, arrivals, attempts } = evidence;
  return [
    ...directories.flatMap(({ id, changes }) => [
      ...logFaults(
        changes,
        log.filter(({ directoryId }) => directoryId === id),
      ),
      ...orderFaults(arrivals.filter(({ directoryId }) => directoryId === id)),
    ]),
    ...arrivalFaults(log, arrivals),
    ...deliveryFaults(log, arrivals, allowance),
    ...attemptFaults(attempts, log, arrivals, allowance),
  ];
}

/** The events that arrived, without pings. A batch counts as one arrival of each of its events. */
export function arrivalsOf({ received, secret }: Pick<Compared, 'received' | 'secret'>): Arrival[] {
  const webhook = new Webhook(secret, { format: 'raw' });
  return received.flatMap(({ body, headers, answered }) => {
    webhook.verify(body, headers as Record<string, string>);
    const events = [JSON.parse(body)].flat() as {
      id: string;
      directory_id?: string;
      sequence: number;
      event: string;
      data: { raw: { userName: string } };
    }[];
    return events.flatMap(({ id, directory_id: directoryId, sequence, event, data }) =>
      directoryId === undefined
        ? []
        : [
            {
              id,
              directoryId,
              sequence,
              status: answered,
              change: `${event} ${data.raw.userName}`,
            },
          ],
    );
  });
}

async function logOf(database: TestDatabase, directoryIds: string[]): Promise<LoggedEvent[]> {
  return database.query<LoggedEvent>(
    `SELECT id, sequence::float, source_id AS "directoryId",
       type || ' ' || (data -> 'raw' ->> 'userName') AS change
     FROM dsync.events WHERE source_id = ANY ($1) ORDER BY sequence`,
    [directoryIds],
  );
}

/** The log has each accepted change once, and nothing else. */
function logFaults(changes: readonly string[], log: readonly LoggedEvent[]): string[] {
  const logged = countsOf(log.map(({ change }) => change));
  const accepted = new Set(changes);
  return [
    ...[...accepted]
      .filter((change) => !logged.has(change))
      .map((change) => `not logged: ${change}`),
    ...[...logged]
      .filter(([, times]) => times > 1)
      .map(([change, times]) => `logged ${times} times: ${change}`),
    ...[...logged.keys()]
      .filter((change) => !accepted.has(change))
      .map((change) => `logged, but never accepted: ${change}`),
  ];
}

/** Compares the arrivals with the log. */
function arrivalFaults(log: readonly LoggedEvent[], arrivals: readonly Arrival[]): string[] {
  const logged = new Map(log.map((event) => [event.id, event]));
  return arrivals.flatMap(({ id, sequence, change, directoryId }) => {
    const event = logged.get(id);
    if (!event) return [`arrived, but not logged: ${change}`];
    const isSame =
      event.sequence === sequence && event.change === change && event.directoryId === directoryId;
    return isSame ? [] : [`altered: ${event.change} arrived as ${change}`];
  });
}

/** Each event was accepted by the receiver, once unless a worker was killed. */
function deliveryFaults(
  log: readonly LoggedEvent[],
  arrivals: readonly Arrival[],
  { repeatsMax = 0, undelivered = [] }: Allowance,
): string[] {
  const accepted = countsOf(arrivals.filter(isAccepted).map(({ id }) => id));
  const lost = log.filter(({ id }) => !accepted.has(id) && !undelivered.includes(id));
  const repeats = sumOf(accepted.values()) - accepted.size;
  return [
    ...lost.map(({ change, sequence }) => `never accepted: ${change} (${sequence})`),
    ...(repeats > repeatsMax ? [`${repeats} deliveries were repeated`] : []),
  ];
}

/** The first arrivals of the events of a directory are in the order of the log. */
function orderFaults(arrivals: readonly Arrival[]): string[] {
  const first = [...new Map(arrivals.map(({ id, sequence }) => [id, sequence])).values()];
  return first.flatMap((sequence, index) =>
    index > 0 && sequence < (first[index - 1] as number)
      ? [`${sequence} arrived after ${first[index - 1]}`]
      : [],
  );
}

async function attemptsOf(
  database: TestDatabase,
  directoryIds: string[],
): Promise<RecordedAttempts[]> {
  return database.query<RecordedAttempts>(
    `SELECT event_id AS "eventId", count(status_code)::integer AS answered,
       count(*) FILTER (WHERE status_code BETWEEN 200 AND 299)::integer AS accepted
     FROM dsync.delivery_attempts WHERE source_id = ANY ($1) GROUP BY event_id`,
    [directoryIds],
  );
}

/** Each answer of the receiver is recorded as an attempt, unless a worker was killed. */
function attemptFaults(
  attempts: readonly RecordedAttempts[],
  log: readonly LoggedEvent[],
  arrivals: readonly Arrival[],
  { repeatsMax = 0, undelivered = [] }: Allowance,
): string[] {
  const recorded = new Map(attempts.map((each) => [each.eventId, each]));
  const answers = countsOf(
    arrivals.filter(({ status }) => status !== undefined).map(({ id }) => id),
  );
  const differences = log.map(({ id, change }) => ({
    change,
    missing: (answers.get(id) ?? 0) - (recorded.get(id)?.answered ?? 0),
    isUnrecorded: !recorded.get(id)?.accepted && !undelivered.includes(id),
  }));
  const missing = sumOf(differences.map((each) => Math.max(0, each.missing)));
  return [
    ...(missing > repeatsMax ? [`${missing} attempts were not recorded`] : []),
    ...differences
      .filter((each) => each.missing < 0)
      .map(({ change }) => `more attempts were recorded than arrived: ${change}`),
    ...differences
      .filter(({ isUnrecorded }) => isUnrecorded)
      .map(({ change }) => `no delivery is recorded: ${change}`),
  ];
}

function isAccepted({ status }: Arrival): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function sumOf(numbers: Iterable<number>): number {
  return [...numbers].reduce((sum, each) => sum + each, 0);
}
