/** Keys of any kind, as the console finds them. */
import { GatehouseError, type ImportedApiKey } from '@gatehouse/client';
import { type ConsoleVisit } from '../site/pages.js';

/** What all kinds have in common; only issued keys have a preview. */
export type Key = ImportedApiKey & { readonly key_preview?: string };

export interface FoundKey {
  readonly kind: 'issued' | 'imported' | 'trust';
  readonly key: Key;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The key of the path. @throws GatehouseError 404 if no kind of key has this id */
export async function findKey({ gatehouse, params }: ConsoleVisit): Promise<FoundKey> {
  const { id: key_id = '' } = params;
  if (!UUID.test(key_id)) throw new GatehouseError({ status: 404, message: 'No such key.' });
  const issued = await unlessMissing(gatehouse.keys.get({ key_id }));
  if (issued) return { kind: 'issued', key: issued };
  const imported = await unlessMissing(gatehouse.importedKeys.get({ key_id }));
  if (imported) return { kind: 'imported', key: imported };
  return { kind: 'trust', key: await gatehouse.trustRules.get({ key_id }) };
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof GatehouseError && error.status === 404) return undefined;
    throw error;
  }
}

/** Erased keys have no name. */
export function nameOf({ name, key_id: id }: Pick<Key, 'name' | 'key_id'>): string {
  return name || id;
}

/** The values of a field that is separated by spaces, commas or lines. */
export function listOf(form: URLSearchParams, name: string): string[] {
  return (form.get(name) ?? '').split(/[\s,]+/).filter((each) => each !== '');
}
