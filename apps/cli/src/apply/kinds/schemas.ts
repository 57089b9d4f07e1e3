import { type SchemaEntry } from '../gatehouse-file.js';
import { found, type Planning } from './kind.js';

/** Schemas are never deleted: identities refer to them. */
export async function planSchema({ gatehouse, plan }: Planning, id: string, entry: SchemaEntry) {
  const { schema = {}, public: isPublic } = entry;
  const content = { id, schema, public: isPublic };
  plan.compare({
    object: `schema ${id}`,
    desired: { public: isPublic, schema },
    current: await found(gatehouse.schemas.get({ id })),
    create: async () => void (await gatehouse.schemas.register(content)),
    change: () => gatehouse.schemas.put(content),
  });
}
