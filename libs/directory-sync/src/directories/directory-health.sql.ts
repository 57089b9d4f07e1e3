/** The only statement of faults of directories: lists filter by it, and views are made of its rows. */
import { isWebhook } from '@gatehouse/delivery';
import { type Statement } from '@gatehouse/kit/sql';

/**
 * The faults of all directories. Conditions on `directoryId` and `state` become conditions of each part, so
 * that those of a page of directories are read by index. The log of requests has the exact times of the last
 * request with a valid secret and without one; `last_request_at` is accurate to a minute.
 * The last part looks for parked events before it reads the oldest: few endpoints have any.
 */
const FAULTS = `
    SELECT c.directory_id AS "directoryId", c.state, c.reason, c.changed_at AS since
    FROM dsync.workspace_connections c WHERE c.state = 'needs_authorization'
  UNION ALL
    SELECT d.id, 'failed', r.error, r.finished_at
    FROM dsync.directories d CROSS JOIN LATERAL (
      SELECT n.state, n.error, n.finished_at FROM dsync.workspace_runs n
      WHERE n.directory_id = d.id ORDER BY n.id DESC LIMIT 1) r
    WHERE d.type = 'workspace' AND r.state = 'failed'
  UNION ALL
    SELECT d.id, 'failed', d.last_error, d.last_error_at
    FROM dsync.directories d WHERE d.last_error_at > coalesce(d.last_success_at, '-infinity')
  UNION ALL
    SELECT r.directory_id, 'held', r.error, r.started_at
    FROM dsync.workspace_runs r WHERE r.state = 'held'
  UNION ALL
    SELECT d.id, 'unauthorized', NULL, k.unauthorized_at
    FROM dsync.scim_clients k JOIN dsync.directories d ON d.id = k.directory_id
    WHERE k.unauthorized_at > coalesce(k.last_at, d.last_request_at, '-infinity')
  UNION ALL
    SELECT p.source_id, p.state, p.reason, p.failing_since
    FROM dsync.endpoints p WHERE p.enabled AND p.state <> 'healthy' AND ${isWebhook('p')}
  UNION ALL
    SELECT p.source_id, 'dead', k.reason, k.parked_at
    FROM dsync.endpoints p CROSS JOIN LATERAL (
      SELECT e.reason, e.parked_at FROM dsync.parked_events e
      WHERE e.endpoint_id = p.id AND e.source_id = p.source_id ORDER BY e.sequence LIMIT 1) k
    WHERE EXISTS (SELECT FROM dsync.parked_events e
      WHERE e.endpoint_id = p.id AND e.source_id = p.source_id)`;

/** The faults of the directories `$1`, the oldest first. */
export const FAULTS_OF: Statement = {
  text: `SELECT f.* FROM (${FAULTS}) f WHERE f."directoryId" = ANY ($1::uuid[]) ORDER BY f.since`,
};

/** The ids of active directories with a fault that meets a condition. */
export const faultyIds = (condition: string) =>
  `SELECT d.id FROM (${FAULTS}) f JOIN dsync.directories d ON d.id = f."directoryId"
    WHERE NOT d.deactivated AND ${condition}`;
