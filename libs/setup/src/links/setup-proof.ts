import {
  type Directory,
  type RequestLogRepository,
  type StatusRange,
  type StoredEntry,
} from '@gatehouse/directory-sync/parts';
import { type SetupRepository } from './setup.repository.js';
import { type SetupLink } from './setup.types.js';

export interface RefusedRequest {
  /** How many of the newest refused requests are like this one. */
  count: number;
  lastAt: Date;
  method: string;
  path: string;
  status: number;
  scimType: string | null;
  detail: string | null;
}

export interface SetupProof {
  /** Whether any request has arrived. */
  hasRequest: boolean;
  /** Whether one was accepted. */
  isConnected: boolean;
  hasUsers: boolean;
  hasGroups: boolean;
  /** As the requests say; null if it is not known. */
  recognizedProvider: string | null;
  refused: RefusedRequest[];
}

/**
 * Each range is read apart, so that floods of one hide none of the others. 404 is left out: looking for what
 * does not exist is no fault.
 */
const SUCCEEDED: StatusRange = { low: 200, high: 299, most: 1 };
const REFUSED: readonly StatusRange[] = [
  { low: 400, high: 400, most: 50 },
  { low: 401, high: 401, most: 50 },
  { low: 402, high: 403, most: 50 },
  { low: 405, high: 599, most: 50 },
];
const REFUSED_SHOWN_MAX = 5;

export async function setupProof(
  { setups, requests }: { setups: SetupRepository; requests: RequestLogRepository },
  link: SetupLink,
  directory: Directory,
): Promise<SetupProof> {
  const { id } = directory;
  const openedAt = link.openedAt ?? link.createdAt;
  const [received, entries, summary] = await Promise.all([
    setups.received(id),
    requests.newest(id, openedAt, [SUCCEEDED, ...REFUSED]),
    requests.summary(id),
  ]);
  const lastSuccess = entries.find(({ status }) => status < 400)?.at;
  const refused = entries.filter(({ status }) => status >= 400);
  const isSince = (time: Date | null) => time !== null && time >= openedAt;
  const isConnected = lastSuccess !== undefined || isSince(directory.lastSuccessAt);
  return {
    hasRequest: isConnected || refused.length > 0 || isSince(directory.lastRequestAt),
    isConnected,
    ...received,
    recognizedProvider: summary.client?.provider ?? null,
    refused: grouped(refused.filter((entry) => isOpen(entry, lastSuccess))),
  };
}

/** A token that works now has settled what was refused for lack of one. */
function isOpen({ status, at }: StoredEntry, lastSuccess: Date | undefined): boolean {
  const isSettled = status === 401 || status === 403;
  return !isSettled || lastSuccess === undefined || at > lastSuccess;
}

/** One for each cause, newest first. */
function grouped(entries: readonly StoredEntry[]): RefusedRequest[] {
  const groups = new Map<string, RefusedRequest>();
  for (const entry of entries) {
    const { status, scim_type: scimType, method, path, detail } = entry;
    // Without a token that is valid, nothing else of a request matters, and anyone can send it.
    const cause = status === 401 ? [] : [scimType, method, path.split('/')[1]];
    const key = [status, ...cause].join(' ');
    const known = groups.get(key);
    if (known) known.count += 1;
    else groups.set(key, { count: 1, lastAt: entry.at, method, path, status, scimType, detail });
  }
  return [...groups.values()].slice(0, REFUSED_SHOWN_MAX);
}
