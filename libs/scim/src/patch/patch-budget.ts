import { ScimError } from '../errors/scim-error.js';

/** 2,000 times the cost of the largest PATCH seen; about half a second. */
const PATCH_WORK_MAX = 500_000;

/**
 * Bounds the total cost of a request, counted in copied names and visited elements. The limits on
 * single operations do not: a thousand operations on a thousand elements, each with a long filter,
 * would block the process for a minute.
 */
export class PatchBudget {
  private left: number;

  /** @param workMax a bulk request has one budget for all of its operations */
  constructor(workMax = PATCH_WORK_MAX) {
    this.left = workMax;
  }

  /** Counts work that is already done. */
  charge(work: number): void {
    this.left -= work;
  }

  /** @throws ScimError 413 when nothing is left */
  spend(work: number): void {
    this.charge(work);
    if (this.left < 0) {
      throw new ScimError(413, undefined, 'The operations are too much work for one request.');
    }
  }
}
