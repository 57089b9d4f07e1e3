import { type DeliveryCounts } from '@gatehouse/delivery';
import { countsView } from '@gatehouse/delivery/management';
import { type Directory } from '../../directories/directory.entity.js';
import {
  type DirectoryFault,
  type DirectoryStatus,
  type LastSync,
  type RequestsStatus,
} from '../../directories/directory.types.js';
import { type RequestSummary } from '../../request-log/request-log.repository.js';
import { directoryHealth } from '../../directories/directory.view.js';
import { webhookStatus } from '../../directories/directory-webhook.js';
import { type KeyLinkStatus } from '../../key-links/key-link.types.js';
import { workspaceStatus } from '../../workspace/connection-settings.js';
import { type LastRun } from '../../workspace/runs/run.repository.js';

/**
 * The state of a directory as its administrator sees it. A member is also stated in `DirectoryStatus`, in
 * `directory.schemas.ts` and `examples.ts` of the API document, and in docs/directory-sync.md. The counts
 * are those of every webhook endpoint, in all services.
 */
export function directoryStatus(
  directory: Directory,
  faults: readonly DirectoryFault[],
  counts: DeliveryCounts,
  lastRun: LastRun | undefined,
  requests: RequestSummary | undefined,
  keyLink: KeyLinkStatus | undefined,
): DirectoryStatus {
  const isFailed = faults.some(({ state }) => state === 'failed');
  return {
    health: directoryHealth(directory, faults),
    last_sync:
      directory.type === 'workspace' ? syncOfRun(lastRun) : syncOfRequests(directory, isFailed),
    last_request_at: directory.lastRequestAt?.toISOString() ?? null,
    requests: requests ? requestsStatus(directory, requests) : null,
    ...countsView(counts),
    ignored_members: Number(directory.ignoredMembers),
    webhook: webhookStatus(directory.webhook),
    key_link: keyLink ?? null,
    workspace: workspaceStatus(directory.connection),
  };
}

function syncOfRun(run: LastRun | undefined): LastSync | null {
  return (
    (run && {
      started_at: textOf(run.startedAt),
      finished_at: textOf(run.finishedAt),
      result: run.state,
      error: run.error,
      counts: run.counts,
      last_success_at: textOf(run.lastSuccessAt),
      last_error_at: textOf(run.lastErrorAt),
    }) ??
    null
  );
}

/** The last request stands for the synchronization, because providers send one after the other. */
function syncOfRequests(directory: Directory, isFailed: boolean): LastSync | null {
  const { lastRequestAt, lastSuccessAt, lastErrorAt, lastError } = directory;
  if (!lastRequestAt) return null;
  return {
    started_at: textOf(lastRequestAt),
    finished_at: textOf(lastRequestAt),
    result: isFailed ? 'failed' : 'succeeded',
    error: lastError,
    counts: null,
    last_success_at: textOf(lastSuccessAt),
    last_error_at: textOf(lastErrorAt),
  };
}

function requestsStatus(
  { quietAt, lastRequestAt, captureUntil, scimSecretUsedAt }: Directory,
  { requests, errors, unauthorized, client }: RequestSummary,
): RequestsStatus {
  const unauthorizedAt = client?.unauthorized_at ?? null;
  const gap = client?.usual_gap_seconds ?? null;
  return {
    requests,
    errors,
    error_rate: requests === 0 ? 0 : errors / requests,
    unauthorized,
    last_unauthorized_at: unauthorizedAt && new Date(unauthorizedAt).toISOString(),
    secret_last_used_at: textOf(scimSecretUsedAt),
    provider: client?.provider ?? null,
    user_agent: client?.user_agent ?? null,
    usual_gap_seconds: gap && Math.round(gap),
    quiet_since: quietAt && textOf(lastRequestAt),
    capture_until: captureUntil && captureUntil > new Date() ? textOf(captureUntil) : null,
  };
}

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
