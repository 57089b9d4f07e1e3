import { type AuditTable, type CallContext } from '@gatehouse/service-kit';

export const AUDIT_TABLE: AuditTable = { name: 'dsync.audit_events', subjects: ['target_id'] };

/** Where a program calls the library without saying for whom. */
export const LIBRARY_CALL: CallContext = { caller: 'library', ip: '', requestId: '' };
