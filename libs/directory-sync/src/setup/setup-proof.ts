/** What has arrived since a set-up session was opened, and which requests were refused. */
import { type Directory } from '../directories/directory.entity.js';
import {
  type RequestLogRepository,
  type StoredEntry,
} from '../request-log/request-log.repository.js';
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

const ENTRIES_READ = 50;
const REFUSED_SHOWN_MAX = 5;

export async function setupProof(
  { setups, requests }: { setups: SetupRepository; requests: RequestLogRepository },
  link: SetupLink,
  directory: Directory,
): Promise<SetupProof> {
  const { id } = directory;
  const openedAt = link.openedAt ?? link.createdAt;
  const [received, failed, succeeded, summary] = await Promise.all([
    setups.received(id),
    requests.list(id, { status: [400, 599] }, ENTRIES_READ),
    requests.list(id, { status: [200, 299] }, 1),
    requests.summary(id),
  ]);
  const isSince = (time: Date | null | undefined) => !!time && time >= openedAt;
  const lastSuccess = succeeded[0]?.at;
  const recent = failed.filter(({ at }) => isSince(at));
  const isConnected = isSince(directory.lastSuccessAt) || isSince(lastSuccess);
  return {
    hasRequest: isConnected || recent.length > 0 || isSince(directory.lastRequestAt),
    isConnected,
    ...received,
    recognizedProvider: summary.client?.provider ?? null,
    refused: grouped(recent.filter((entry) => isOpen(entry, lastSuccess))),
  };
}

/** Looking for what does not exist is no fault; a token that works now has settled those before. */
function isOpen({ status, at }: StoredEntry, lastSuccess: Date | undefined): boolean {
  if (status === 404) return false;
  const isSettled = status === 401 || status === 403;
  return !isSettled || lastSuccess === undefined || at > lastSuccess;
}

/** One for each cause, newest first. */
function grouped(entries: readonly StoredEntry[]): RefusedRequest[] {
  const groups = new Map<string, RefusedRequest>();
  for (const entry of entries) {
    const { status, scim_type: scimType, method, path, detail } = entry;
    const key = [status, scimType, method, path.split('/')[1]].join(' ');
    const known = groups.get(key);
    if (known) known.count += 1;
    else groups.set(key, { count: 1, lastAt: entry.at, method, path, status, scimType, detail });
  }
  return [...groups.values()].slice(0, REFUSED_SHOWN_MAX);
}
