import { type KeyLinkEntry } from '../gatehouse-file.js';
import { without } from '../../without.js';
import { type Planning } from './kind.js';

export async function planKeyLinks(
  { gatehouse, plan, prune }: Planning,
  entries: readonly KeyLinkEntry[],
): Promise<void> {
  const links = await gatehouse.keyLinks.list();
  const isOf = (entry: Scope) => (link: Scope) =>
    link.tenant === entry.tenant && link.product === entry.product;
  for (const entry of entries) {
    const { email_domains } = entry;
    const desired = email_domains
      ? { ...entry, email_domains: email_domains.map((domain) => domain.toLowerCase()) }
      : entry;
    const current = links.find(isOf(entry));
    const kept = current && without(current, 'revision', 'created_at', 'updated_at');
    const set = () => gatehouse.keyLinks.set({ ...kept, ...desired });
    plan.compare({
      object: `key link of ${entry.tenant}/${entry.product}`,
      desired,
      current,
      create: async () => void (await set()),
      change: set,
    });
  }
  const products = new Set(entries.map(({ product }) => product));
  for (const { tenant, product } of prune ? links : []) {
    if (!products.has(product) || entries.some(isOf({ tenant, product }))) continue;
    plan.remove(`key link of ${tenant}/${product}`, () =>
      gatehouse.keyLinks.delete({ tenant, product }),
    );
  }
}

interface Scope {
  readonly tenant: string;
  readonly product: string;
}
