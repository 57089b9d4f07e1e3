import { countsView, type DeliveryCounts } from '@gatehouse/delivery';
import { type Directory } from '../directories/directory.entity.js';
import { type DirectoryStatus } from '../directories/directory.types.js';
import { webhookStatus } from '../directories/directory-webhook.js';
import { workspaceStatus } from '../workspace/connection-settings.js';

/** The state of a directory as its administrator sees it. */
export function directoryStatus(directory: Directory, counts: DeliveryCounts): DirectoryStatus {
  return {
    last_request_at: directory.lastRequestAt?.toISOString() ?? null,
    ...countsView(counts),
    ignored_members: Number(directory.ignoredMembers),
    webhook: webhookStatus(directory.webhook),
    workspace: workspaceStatus(directory.connection),
  };
}
