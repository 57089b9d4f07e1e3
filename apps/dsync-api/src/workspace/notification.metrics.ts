import { type NotificationOutcome } from '@gatehouse/directory-sync';
import { Counter, type Registry } from 'prom-client';

/** As the outcomes of NotificationOutcome; `limited`: refused unread. */
const OUTCOMES = [
  ...(['changed', 'pending', 'quiet', 'handshake', 'unknown', 'forged'] as const),
  'limited',
] as const;

export type CountedOutcome = NotificationOutcome['outcome'] | 'limited';

/** Counts what providers send to notification channels. */
export function notificationMetrics(registry: Registry) {
  const notifications = new Counter({
    name: 'dsync_workspace_notifications_total',
    help: 'Notifications of workspace providers by outcome: changed, pending, quiet, handshake, unknown, forged or limited.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  for (const outcome of OUTCOMES) notifications.inc({ outcome }, 0);
  return (outcome: CountedOutcome): void => notifications.inc({ outcome });
}
