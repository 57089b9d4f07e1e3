/**
 * Before the listing of a run: asks the provider whether something has changed since the run before. If
 * not, the run ends at once. The token is taken before the first page is read, so that a change during
 * the listing is seen by the next run.
 */
import { type WorkspaceSession } from '@gatehouse/workspace-providers';
import { FIND_TOKEN } from './change.sql.js';
import { type Lease, type RunRepository } from './run.repository.js';
import { type Run } from './run.types.js';

/** A listing brings back what got lost in the database. */
export const FULL_LISTING_SECONDS = 86_400;

export interface Checking {
  runs: RunRepository;
  lease: Lease;
  session: WorkspaceSession;
  /** After this time, the whole listing is read even if nothing has changed; 0 never asks. */
  fullListingSeconds: number;
  signal: AbortSignal;
}

/** The run as it begins to list, or at its end. @throws WorkspaceError */
export async function checkChanges(checking: Checking, run: Run): Promise<Run> {
  const { runs, lease, session, fullListingSeconds, signal } = checking;
  if (fullListingSeconds === 0) return run;
  type Known = { token: string; since: Date };
  const [known] = await runs.sql.rows<Known>(FIND_TOKEN, [run.id, fullListingSeconds]);
  const { hasChanged, token, calls } = await session.changesSince(known?.token ?? null, signal);
  if (calls === 0) return run;
  const asked: Run = { ...run, changeToken: token, apiCalls: run.apiCalls + calls };
  const isUnchanged = known !== undefined && !hasChanged;
  const next: Run = isUnchanged
    ? { ...asked, state: 'applying', phase: 'finish', unchangedSince: known.since }
    : asked;
  return runs.save(run, lease, () => Promise.resolve(next));
}
