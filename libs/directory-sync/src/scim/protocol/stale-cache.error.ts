import { type ScimScope } from './scim.types.js';

/** Thrown if cached data is out of date, or might be: repeat the request with stored data. */
export class StaleCacheError extends Error {
  override readonly name = 'StaleCacheError';
}

/**
 * Confirms that the directory is unchanged since it was cached. Call it before reporting that
 * something was not found: the statement may have matched nothing because of the revision.
 *
 * @throws StaleCacheError if the directory has changed
 */
export async function ensureCurrent({ call, engine, directory }: ScimScope) {
  if (call.revision === null) return;
  const revision = await engine.directories.revision(directory.id);
  if (revision !== call.revision) throw new StaleCacheError();
}
