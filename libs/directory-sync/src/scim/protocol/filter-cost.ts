import { type FilterCost, ScimError } from '@gatehouse/scim';

/** @throws ScimError 400 `tooMany`, naming the most expensive term */
export function checkFilterCost({ total, dearest }: FilterCost, costMax: number): void {
  if (total <= costMax) return;
  const detail =
    `The filter costs ${total}, and at most ${costMax} is allowed. Its most expensive term, ` +
    `"${dearest.term}", costs ${dearest.cost}; "eq" on an indexed attribute costs 1.`;
  throw new ScimError(400, 'tooMany', detail);
}
