import { countsView, type DeliveryCounts } from '@gatehouse/delivery';
import { type Directory } from '../directories/directory.entity.js';
import { type DirectoryStatus, type LastSync } from '../directories/directory.types.js';
import { webhookStatus } from '../directories/directory-webhook.js';
import { workspaceStatus } from '../workspace/connection-settings.js';
import { type LastRun } from '../workspace/runs/run.repository.js';

/** The state of a directory as its administrator sees it. */
export function directoryStatus(
  directory: Directory,
  counts: DeliveryCounts,
  lastRun: LastRun | undefined,
): DirectoryStatus {
  return {
    last_sync: directory.type === 'workspace' ? syncOfRun(lastRun) : syncOfRequests(directory),
    last_request_at: directory.lastRequestAt?.toISOString() ?? null,
    ...countsView(counts),
    ignored_members: Number(directory.ignoredMembers),
    webhook: webhookStatus(directory.webhook),
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
function syncOfRequests(directory: Directory): LastSync | null {
  const { lastRequestAt, lastSuccessAt, lastErrorAt, lastError } = directory;
  if (!lastRequestAt) return null;
  const isFailed = (lastErrorAt?.getTime() ?? 0) > (lastSuccessAt?.getTime() ?? 0);
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

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
