import { type Usage } from '../../quotas/usage.js';
import { type ScimLimits } from './scim.types.js';

export const DEFAULT_LIMITS: ScimLimits = {
  pageSizeDefault: 100,
  pageSizeMax: 1_000,
  pageBytesMax: 8 * 1024 * 1024,
  filterCostMax: 500,
  searchesMax: 2,
  searchTimeoutSeconds: 2,
  searchConnectionsMax: 4,
  bulkOperationsMax: 1_000,
  bulkBytesMax: 1024 * 1024,
};

export const DEFAULT_QUOTA: Usage = {
  users: 2_000_000,
  groups: 500_000,
  bytes: 20 * 1024 ** 3,
};
