/** Finds the key that a person means: by its id, or by the part of its secret that `key_preview` shows. */
import { type Gatehouse, type ImportedApiKey, type IssuedApiKey } from '@gatehouse/client';
import { EXIT, Failure, isNotFound } from '../failure.js';

/** Imported keys have no preview. */
export type Key = IssuedApiKey | ImportedApiKey;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const PREVIEW = /…|\.\.\./;
const SHOWN_MAX = 10;

/** @throws Failure if there is no such key, or more than one */
export async function findKey(gatehouse: Gatehouse, reference: string): Promise<Key> {
  if (UUID.test(reference)) return findById(gatehouse, reference);
  if (PREVIEW.test(reference)) return findByPreview(gatehouse, reference);
  // It may be a secret: it is neither sent nor repeated.
  throw new Failure(
    'This is neither the id of a key nor a part of its secret, such as …WP2T or ...WP2T. ' +
      'Never pass a whole secret: other users of this machine see arguments.',
    EXIT.USAGE,
  );
}

async function findById(gatehouse: Gatehouse, key_id: string): Promise<Key> {
  for (const keys of [gatehouse.keys, gatehouse.importedKeys]) {
    try {
      return await keys.get({ key_id });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  throw new Failure(`No key has the id ${key_id}.`);
}

async function findByPreview(gatehouse: Gatehouse, preview: string): Promise<Key> {
  const { issued_api_keys: found } = await gatehouse.keys.list({
    filter: `key_preview=${JSON.stringify(preview)}`,
    page_size: SHOWN_MAX,
  });
  const [key, other] = found;
  if (key === undefined) throw new Failure(`No key has the preview ${preview}.`);
  if (other === undefined) return key;
  const ids = found.map(({ key_id, name }) => `  ${key_id}  ${name}`).join('\n');
  throw new Failure(`More than one key has the preview ${preview}. Pass an id:\n${ids}`);
}
