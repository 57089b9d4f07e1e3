import { type TrustRule } from '@gatehouse/client';
import { secondsOf } from '../../output/times.js';
import { type TrustRuleEntry } from '../gatehouse-file.js';
import { type Planning } from './kind.js';

const ENDED = ['KEY_STATUS_REVOKED', 'KEY_STATUS_EXPIRED'];

/** A rule that has ended counts as none: it cannot work again. */
export async function planTrustRules(
  { gatehouse, plan, prune }: Planning,
  entries: readonly TrustRuleEntry[],
): Promise<void> {
  const live: TrustRule[] = [];
  for await (const rule of gatehouse.trustRules.list.all({ page_size: 1_000 })) {
    if (!ENDED.includes(rule.status)) live.push(rule);
  }
  for (const entry of entries) {
    const { ttl, ...settings } = entry;
    const object = `trust rule "${entry.name}"`;
    const [current, other] = live.filter(({ name }) => name === entry.name);
    if (other) plan.problems.push(`There is more than one ${object}. Revoke all but one.`);
    plan.compare({
      object,
      desired: { ...settings, token_ttl: inSeconds(entry.token_ttl) },
      current,
      initial: { ttl },
      fixed: ['actor_id'],
      create: async () => void (await gatehouse.trustRules.create(entry)),
      change: (changes) =>
        gatehouse.trustRules.update({
          key_id: current?.key_id ?? '',
          update_mask: Object.keys(changes).join(','),
          ...changes,
        }),
    });
  }
  const names = new Set(entries.map(({ name }) => name));
  for (const { key_id, name } of prune ? live : []) {
    if (names.has(name)) continue;
    plan.remove(`trust rule "${name}"`, () => gatehouse.trustRules.revoke({ key_id }));
  }
}

/** As Gatehouse shows durations: `900s` for `15m`. */
function inSeconds(duration: string | undefined): string | undefined {
  const seconds = duration && secondsOf(duration);
  return seconds ? `${seconds}s` : duration;
}
