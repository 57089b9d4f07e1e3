export {
  type AdminChange,
  type AdminEvent,
  type AuditRecord,
  type OwnedAdminEvent,
  adminEventOf,
  auditRecordOf,
} from './audit-event.js';
export { createAuditTable, protectAuditTable } from './audit-tables.js';
export { AuditEvents, type AuditListQuery, type AuditTable } from './audit-events.js';
