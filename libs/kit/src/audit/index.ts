export {
  type AdminChange,
  type AdminEvent,
  type AuditRecord,
  type OwnedAdminEvent,
  adminEventOf,
  auditRecordOf,
} from './audit-event.js';
export { AuditEvents, type AuditListQuery, type AuditTable } from './audit-events.js';
