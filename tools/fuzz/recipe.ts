import { type Tenant } from '../live-stack/tenant.js';

export interface Ingredients {
  /** Parameters of the path. */
  ids?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: object;
}

/** What the example of an operation lacks to succeed: ids, credentials, and states. */
export interface Recipe {
  make?: (tenant: Tenant) => Ingredients | Promise<Ingredients>;
  /** Headers that depend on the body: they replace those with the value `SIGNED`. */
  sign?: (tenant: Tenant, body: Buffer) => Record<string, string>;
  isUsedUp?: boolean;
  isScoped?: boolean;
}

/** The value of a header that `sign` replaces. */
export const SIGNED = 'signed';

/** A recipe by the id of the operation. */
export type Recipes = Readonly<Record<string, Recipe>>;

/** Of an operation that uses up what was made for it. */
export const once = (make: Recipe['make']): Recipe => ({ make, isUsedUp: true });
