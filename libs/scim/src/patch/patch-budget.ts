import { ScimError } from '../errors/scim-error.js';

/** Two thousand times what the largest PATCH of an identity provider needs; about half a second. */
const WORK_MAX = 500_000;

/**
 * What the operations of one PATCH may cost together, counted in names that are copied and elements
 * that are looked at. Limits of single things do not bound it: a thousand operations on a thousand
 * elements, each with a long filter, would keep the process busy for a minute.
 */
export class PatchBudget {
  private left = WORK_MAX;

  /** @throws ScimError 413 when nothing is left */
  spend(work: number): void {
    this.left -= work;
    if (this.left < 0) {
      throw new ScimError(413, undefined, 'The operations are too much work for one request.');
    }
  }
}
