/** Request patterns on the Redis transport: one replica answers each request. */
export const MessagePatterns = {
  verifyKey: 'keys.verify',
  decodeForm: 'forms.decode',
} as const;

/** Types of the key service's audit events. All but `verificationFailed` are also published. */
export const KeyEvents = {
  issued: 'key.issued',
  imported: 'key.imported',
  updated: 'key.updated',
  rotated: 'key.rotated',
  revoked: 'key.revoked',
  deleted: 'key.deleted',
  tokenDerived: 'token.derived',
  verificationFailed: 'verification.failed',
} as const;

/** Events of identity forms. */
export const IdentityEvents = {
  created: 'identity.created',
  updated: 'identity.updated',
} as const;

/** BullMQ queues of directory sync; a queue name holds no colon. */
export const Queues = {
  deliveryLane: 'dsync-delivery-lane',
} as const;
