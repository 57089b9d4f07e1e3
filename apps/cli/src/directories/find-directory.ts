import { type Gatehouse } from '@gatehouse/client';
import { Failure } from '../failure.js';

/**
 * Finds the id of the directory that a person means: an id, or `tenant/product`.
 *
 * @throws Failure if a tenant and product have no directory, or more than one
 */
export async function findDirectory(gatehouse: Gatehouse, reference: string): Promise<string> {
  const slash = reference.lastIndexOf('/');
  if (slash < 0) return reference;
  const scope = { tenant: reference.slice(0, slash), product: reference.slice(slash + 1) };
  const found = await gatehouse.directories.list({ ...scope, secrets: false });
  const [directory, other] = found;
  if (directory === undefined) throw new Failure(`There is no directory ${reference}.`);
  if (other === undefined) return directory.id;
  const ids = found.map(({ id, name }) => `  ${id}  ${name}`).join('\n');
  throw new Failure(`There is more than one directory ${reference}. Pass an id:\n${ids}`);
}
