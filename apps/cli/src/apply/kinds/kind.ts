import { type Gatehouse } from '@gatehouse/client';
import { isNotFound } from '../../failure.js';
import { type Plan } from '../plan.js';

/** What a kind of objects is planned with. */
export interface Planning {
  readonly gatehouse: Gatehouse;
  readonly plan: Plan;
  /** Whether objects are deleted that the file does not have. */
  readonly prune: boolean;
}

/** @returns undefined if there is no such object */
export async function found<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
