/** Request patterns on the Redis transport: one replica answers each request. */
export const MessagePatterns = {
  verifyKey: 'keys.verify',
  judgeAdministrator: 'keys.judge_administrator',
  applyPeople: 'keys.apply_people',
  decodeForm: 'forms.decode',
} as const;

/** Redis channels, after the namespace of the stack. */
export const Channels = {
  keysInvalidate: 'keys.invalidate',
} as const;

/** BullMQ queues; a queue name contains no colon. */
export const Queues = {
  deliveryLane: 'delivery-lane',
  workspaceRun: 'workspace-run',
} as const;
