import { type AuditTable } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';

export const AUDIT_TABLE: AuditTable = {
  name: 'forms.audit_events',
  subjects: ['target_id'],
  owner: 'schema_id',
};

/** For changes that the settings ask for, at start. */
export const SETTINGS_CALL: CallContext = { caller: 'settings', ip: '', requestId: '' };
