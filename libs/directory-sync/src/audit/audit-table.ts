import { type AuditTable } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';

export const AUDIT_TABLE: AuditTable = { name: 'dsync.audit_events', subjects: ['target_id'] };

/** Where a program calls the library without saying for whom. */
export const LIBRARY_CALL: CallContext = { caller: 'library', ip: '', requestId: '' };
