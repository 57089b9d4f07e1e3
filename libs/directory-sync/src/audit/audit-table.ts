import { type AuditTable } from '@gatehouse/kit/audit';

export { LIBRARY_CALL } from '@gatehouse/kit/clients';

export const AUDIT_TABLE: AuditTable = {
  name: 'dsync.audit_events',
  subjects: ['target_id'],
  owner: 'directory_id',
};
