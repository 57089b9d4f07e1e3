import { type Sql } from '@gatehouse/kit/sql';
import { scimPath } from '../../directories/directory.view.js';
import { Guard } from '../../guard/guard.js';
import { GuardRepository } from '../../guard/guard.repository.js';
import { type Quotas } from '../../quotas/quotas.js';
import { type ScimLimits } from '../../scim/protocol/scim.types.js';
import { type Searches } from '../../searches/searches.js';
import { RunRepository } from './run.repository.js';
import { Runner, type RunnerContext } from './runner.js';

export interface RunnerParts extends Omit<RunnerContext, 'runs' | 'guards' | 'scopeOf'> {
  sql: Sql;
  searches: Searches;
  quotas: Quotas;
  limits: ScimLimits;
  cursorKey: Buffer;
  externalUrl: string;
}

/** A runner that writes as SCIM requests do: within quotas, with events. */
export function createRunner(parts: RunnerParts): Runner {
  const { sql: runnerSql, searches, quotas, limits, cursorKey, externalUrl, ...context } = parts;
  const { directories, logger } = context;
  const runs = new RunRepository(runnerSql);
  const guards = new GuardRepository(runnerSql);
  const guard = new Guard(guards, runs);
  return new Runner({
    ...context,
    runs,
    guards,
    scopeOf: (directory, sql, wantsEvents) => ({
      // Removals were guarded when the run was planned, or have been approved.
      directory: { ...directory, guard: null },
      call: { baseUrl: externalUrl + scimPath(directory.id), revision: null, wantsEvents },
      engine: { sql, searches, quotas, guard, directories, limits, cursorKey, logger },
    }),
  });
}
