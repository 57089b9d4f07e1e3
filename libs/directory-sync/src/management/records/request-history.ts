/** The SCIM requests of a directory as administrators see them. */
import { type KeyRing } from '@gatehouse/crypto';
import { adminEventOf } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader, invalidField, millisecondsOf } from '@gatehouse/kit/input';
import { LIBRARY_CALL } from '../../audit/audit-table.js';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import { type DirectoryAccess } from '../../directories/directory.types.js';
import {
  type EntryFilter,
  type RequestCount,
  type RequestLogRepository,
} from '../../request-log/request-log.repository.js';
import {
  type RequestDetails,
  requestDetails,
  type RequestView,
  requestView,
} from '../../request-log/request.view.js';
import { STRICT } from '../body.input.js';
import { limitOf } from '../page.input.js';
import { notFound } from '../../sync.errors.js';

/** Values that requests must have to be listed, and the part of the list. */
export interface RequestFilter {
  /** A status such as 409, or a class such as `4xx`. */
  status?: string | number;
  method?: string;
  resource_id?: string;
  /** The id of the last request that was read. */
  after?: string;
  /** Default 50, at most 1000. */
  limit?: number;
}

/** Which requests are counted. */
export interface RequestUsageQuery {
  /** Those of all directories by default. */
  directoryId?: string;
  /** RFC 3339, rounded down to the hour; a day before `to` by default. */
  from?: string;
  /** RFC 3339, rounded up to the hour; now by default. */
  to?: string;
}

/** SCIM requests of an hour with a class of statuses; `2xx` contains 304. */
export interface RequestUsage extends Omit<RequestCount, 'time'> {
  time: string;
}

export interface RequestHistoryContext {
  logged: RequestLogRepository;
  ring: KeyRing;
  directories: DirectoryRepository;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'] as const;
const STATUS = /^([1-5])(\d\d|xx)$/i;
const ID_TEXT = { max: 128 };
const CAPTURE_SECONDS_MIN = 60;
const CAPTURE_SECONDS_MAX = 86_400;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIRST_MS = Date.UTC(2000, 0);
const LAST_MS = Date.UTC(3000, 0);

/** The `requestHistory` operations of the controller object. All resolve to 404 for an unknown directory. */
export class RequestHistory {
  constructor(private readonly context: RequestHistoryContext) {}

  /** Newest first. */
  async list(directoryId: string, filter: RequestFilter = {}): Promise<RequestView[]> {
    const input = InputReader.ofQuery(filter ?? {});
    const read = readFilter(input);
    const limit = limitOf(input, 'limit');
    input.throwIfInvalid();
    await this.require(directoryId);
    return (await this.context.logged.list(directoryId, read, limit)).map(requestView);
  }

  /**
   * Counts by hour and class of statuses, the oldest first; hours without requests are left out. They are
   * kept for two days, with those of requests without a valid secret. 404 for an unknown directory.
   */
  async usage(query: RequestUsageQuery = {}): Promise<RequestUsage[]> {
    const input = InputReader.ofQuery(query ?? {});
    const directoryId = input.text('directoryId', ID_TEXT) || undefined;
    const toMs = Math.ceil((timeOf(input, 'to') ?? Date.now()) / HOUR_MS) * HOUR_MS;
    const fromMs = Math.floor((timeOf(input, 'from') ?? toMs - DAY_MS) / HOUR_MS) * HOUR_MS;
    if (fromMs >= toMs) input.addViolation('to', 'must be after from', undefined);
    input.throwIfInvalid();
    if (directoryId !== undefined) await this.find(directoryId);
    const { logged } = this.context;
    const counts = await logged.byStatus(directoryId, new Date(fromMs), new Date(toMs));
    return counts.map((each) => ({ ...each, time: each.time.toISOString() }));
  }

  /** One request, with its bodies if they were captured. */
  async get(directoryId: string, id: string): Promise<RequestDetails> {
    const { logged, ring } = this.context;
    await this.require(directoryId);
    const entry = isUuid(id) ? await logged.find(directoryId, id) : undefined;
    if (!entry) throw notFound('Request not found.');
    return requestDetails(entry, ring);
  }

  /** Captures redacted bodies for a time, from a minute to a day. */
  async capture(
    directoryId: string,
    input: { duration?: string },
    call: CallContext = LIBRARY_CALL,
  ): Promise<{ capture_until: string }> {
    const reader = InputReader.of(input, STRICT);
    const seconds = captureSeconds(reader);
    reader.throwIfInvalid();
    await this.require(directoryId);
    const until = new Date(Date.now() + seconds * 1000);
    const details = { until: until.toISOString() };
    const change = { type: 'directory.capture_started', targetId: directoryId, details };
    await this.setCapture(directoryId, until, adminEventOf(change, call));
    return { capture_until: until.toISOString() };
  }

  /** Ends the capture of bodies. Those that were captured stay as long as their requests. */
  async stopCapture(directoryId: string, call: CallContext = LIBRARY_CALL): Promise<null> {
    await this.require(directoryId);
    const change = { type: 'directory.capture_stopped', targetId: directoryId };
    await this.setCapture(directoryId, null, adminEventOf(change, call));
    return null;
  }

  private async setCapture(
    id: string,
    captureUntil: Date | null,
    event: ReturnType<typeof adminEventOf>,
  ): Promise<void> {
    if (!(await this.context.directories.update(id, { captureUntil }, event))) throw absent();
  }

  private async require(id: string): Promise<void> {
    if ((await this.find(id)).type === 'workspace') {
      throw invalidField('directoryId', 'is a workspace directory, which receives no requests');
    }
  }

  private async find(id: string): Promise<DirectoryAccess> {
    const directory = isUuid(id) ? await this.context.directories.access(id) : undefined;
    if (!directory) throw absent();
    return directory;
  }
}

function readFilter(input: InputReader): EntryFilter {
  const after = input.text('after', ID_TEXT) || undefined;
  if (after !== undefined && !isUuid(after)) {
    input.addViolation('after', 'must be the id of a request', undefined);
  }
  return {
    status: statusOf(input),
    method: input.oneOf('method', METHODS),
    resourceId: input.text('resource_id', ID_TEXT) || undefined,
    after,
  };
}

/** Both ends of a range of statuses. */
function statusOf(input: InputReader): [number, number] | undefined {
  const value = input.raw('status') ?? '';
  if (value === '') return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  const [, hundreds, rest = ''] = (typeof text === 'string' && STATUS.exec(text)) || [];
  if (hundreds === undefined) {
    const description = 'must be a status such as 409, or a class such as 4xx';
    return input.addViolation('status', description, undefined);
  }
  const first = Number(hundreds) * 100;
  return /^\d/.test(rest) ? [first + Number(rest), first + Number(rest)] : [first, first + 99];
}

/** PostgreSQL does not read years such as 10000. */
function timeOf(input: InputReader, name: string): number | undefined {
  const text = input.string(name) ?? '';
  if (text === '') return undefined;
  const atMs = millisecondsOf(text);
  if (atMs >= FIRST_MS && atMs < LAST_MS) return atMs;
  const description = 'must be a time such as 2027-01-31T12:00:00Z, in the years from 2000 to 2999';
  return input.addViolation(name, description, undefined);
}

function captureSeconds(input: InputReader): number {
  if (input.raw('duration') === undefined) return input.addViolation('duration', 'is required', 0);
  const seconds = input.duration('duration', { max: CAPTURE_SECONDS_MAX });
  return seconds !== undefined && seconds < CAPTURE_SECONDS_MIN
    ? input.addViolation('duration', 'must be at least a minute', 0)
    : (seconds ?? 0);
}

const absent = () => notFound('Directory not found.');
