import { type Gatehouse } from '@gatehouse/client';
import { type GatehouseFile } from '../gatehouse-file.js';
import { Plan } from '../plan.js';
import { planDirectories } from './directories.js';
import { type EndpointOperations, planEndpoints } from './endpoints.js';
import { planKeyLinks } from './key-links.js';
import { type Planning } from './kind.js';
import { planSchema } from './schemas.js';
import { planTrustRules } from './trust-rules.js';

export interface PlanOptions {
  /**
   * Whether objects are deleted that the file does not have, if it has others of their kind; directories and key
   * links only of products that the file names.
   */
  readonly prune: boolean;
  /** Called with the number of directories that were read. */
  readonly onRead: (count: number) => void;
}

/** Reads what there is, and plans the steps to what the file has. */
export async function planFor(
  gatehouse: Gatehouse,
  file: GatehouseFile,
  { prune, onRead }: PlanOptions,
): Promise<Plan> {
  const plan = new Plan();
  const planning: Planning = { gatehouse, plan, prune };
  const { schemas = {}, directories, key_links: links, trust_rules: rules } = file;
  for (const [id, entry] of Object.entries(schemas)) await planSchema(planning, id, entry);
  if (directories) await planDirectories(planning, directories, onRead);
  for (const owner of ['keys', 'identities'] as const) {
    const entries = file[owner]?.endpoints;
    if (entries === undefined) continue;
    const operations = gatehouse[owner].webhookEndpoints as EndpointOperations;
    const { webhook_endpoints: current } = await operations.list();
    planEndpoints(planning, owner, { operations, entries, current });
  }
  if (links) await planKeyLinks(planning, links);
  if (rules) await planTrustRules(planning, rules);
  return plan;
}
