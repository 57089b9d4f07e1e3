import { type Gatehouse, type ListedDirectory } from '@gatehouse/client';
import { type DirectoryEntry, type RolesEntry } from '../gatehouse-file.js';
import { without } from '../../without.js';
import { resolved } from '../shape.js';
import { type EndpointOperations, planEndpoints } from './endpoints.js';
import { found, type Planning } from './kind.js';

/** A directory that there is, or that a step creates. */
interface Place {
  readonly object: string;
  id: string | undefined;
}

/** @param onRead called with the number of entries that were compared */
export async function planDirectories(
  planning: Planning,
  entries: readonly DirectoryEntry[],
  onRead: (count: number) => void,
): Promise<void> {
  const known = await directoriesOf(
    planning.gatehouse,
    new Set(entries.map(({ product }) => product)),
  );
  const named = new Set<string>();
  const hasEndpoints = entries.some(({ endpoints }) => endpoints !== undefined);
  const hasRoles = entries.some(({ roles }) => roles !== undefined);
  for (const [index, entry] of entries.entries()) {
    const { endpoints, roles } = entry;
    const place = planDirectory(planning, entry, known);
    if (place.id !== undefined) named.add(place.id);
    if (endpoints ?? (planning.prune && hasEndpoints)) {
      await planOwnEndpoints(planning, place, endpoints ?? []);
    }
    if (roles ?? (planning.prune && hasRoles)) await planRoles(planning, place, roles);
    onRead(index + 1);
  }
  for (const directory of planning.prune ? known : []) {
    const { id, tenant, product, name } = directory;
    if (named.has(id)) continue;
    planning.plan.remove(`directory ${tenant}/${product} "${name}" with its users and groups`, () =>
      planning.gatehouse.directories.delete({ id }),
    );
  }
}

async function directoriesOf(
  gatehouse: Gatehouse,
  products: Set<string>,
): Promise<ListedDirectory[]> {
  const known: ListedDirectory[] = [];
  for (const product of products) {
    const input = { product, secrets: false, pageLimit: 1_000 };
    for await (const each of gatehouse.directories.listOfProduct.all(input)) known.push(each);
  }
  return known;
}

function planDirectory(
  { gatehouse, plan }: Planning,
  entry: DirectoryEntry,
  known: readonly ListedDirectory[],
): Place {
  const { tenant, product, name, webhook_secret } = entry;
  const settings = without(entry, 'endpoints', 'roles', 'webhook_secret');
  const object = `directory ${tenant}/${product}${name ? ` "${name}"` : ''}`;
  const [current, other] = known.filter(
    (each) =>
      each.tenant === tenant &&
      each.product === product &&
      (name === undefined || each.name === name),
  );
  if (other) plan.problems.push(`There is more than one ${object}. Give it a name.`);
  const place: Place = { object, id: current?.id };
  plan.compare({
    object,
    desired: settings,
    current: current && {
      ...current,
      webhook_url: current.webhook.endpoint,
      attribute_mapping: current.attribute_mapping ?? null,
    },
    initial: { webhook_secret },
    fixed: ['type', 'workspace_provider'],
    create: async () => {
      const secret = resolved(webhook_secret);
      const created = await gatehouse.directories.create({
        ...settings,
        attribute_mapping: settings.attribute_mapping ?? undefined,
        webhook_secret: secret,
      });
      place.id = created.id;
    },
    // A new address gets the secret of the file, which cannot be compared.
    change: (changes) =>
      gatehouse.directories.update({
        id: current?.id ?? '',
        ...changes,
        webhook_secret: changes['webhook_url'] ? resolved(webhook_secret) : undefined,
      }),
  });
  return place;
}

async function planOwnEndpoints(
  planning: Planning,
  place: Place,
  entries: NonNullable<DirectoryEntry['endpoints']>,
): Promise<void> {
  const { webhookEndpoints } = planning.gatehouse.directories;
  const id = () => ({ directoryId: place.id ?? '' });
  const operations = {
    list: () => webhookEndpoints.list(id()),
    create: (input: object) => webhookEndpoints.create({ ...input, ...id() } as never),
    update: (input: object) => webhookEndpoints.update({ ...input, ...id() } as never),
    delete: (input: object) => webhookEndpoints.delete({ ...input, ...id() } as never),
  } as EndpointOperations;
  const all = place.id === undefined ? [] : (await operations.list()).webhook_endpoints;
  // The first endpoint is the webhook of the directory itself.
  const current = all.filter((endpoint) => endpoint.id !== place.id);
  planEndpoints(planning, place.object, { operations, entries, current });
}

/** @param roles undefined: none, so that those that are there go */
async function planRoles(
  { gatehouse, plan }: Planning,
  place: Place,
  roles: RolesEntry | undefined,
): Promise<void> {
  const { roleMapping } = gatehouse.directories;
  const mapping = place.id && (await found(roleMapping.get({ directoryId: place.id })));
  const current = mapping && {
    default_role: mapping.default_role,
    mode: mapping.mode,
    rules: mapping.rules.map(({ group, role, priority }) => ({ group, role, priority })),
  };
  const object = `role mapping of ${place.object}`;
  if (roles === undefined) {
    if (current) plan.remove(object, () => roleMapping.delete({ directoryId: place.id ?? '' }));
    return;
  }
  const desired = { ...roles, rules: roles.rules.map((rule) => ({ priority: 0, ...rule })) };
  const set = () => roleMapping.set({ ...current, ...desired, directoryId: place.id ?? '' });
  plan.compare({
    object,
    desired,
    current: current || undefined,
    create: async () => void (await set()),
    change: set,
  });
}
