import { type AuditTable, type CallContext } from '@gatehouse/service-kit';

export const AUDIT_TABLE: AuditTable = { name: 'forms.audit_events', subjects: ['target_id'] };

/** For changes that the settings ask for, at start. */
export const SETTINGS_CALL: CallContext = { caller: 'settings', ip: '', requestId: '' };
