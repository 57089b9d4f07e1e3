import { type EarlierVersion, git } from './commits.js';

/**
 * The commit before the newest migration.
 * @param migrations the folder with the migrations of a service
 */
export function versionBefore(migrations: string): EarlierVersion {
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true') {
      return { missing: 'the clone is shallow, so git has no earlier version' };
    }
    const pattern = `${migrations}/*.migration.ts`;
    // Without renames, because a new migration may resemble one that went.
    const added = ['--no-renames', '--diff-filter=A'];
    const newest = git('log', '-1', '--format=%H', ...added, '--', pattern);
    const commit = git('rev-parse', '--verify', `${newest}^`);
    if (firstMigration(commit, migrations) !== firstMigration('HEAD', migrations)) {
      return { missing: `${commit} has another first migration, so its database is not upgraded` };
    }
    return { commit };
  } catch {
    return { missing: 'there is no git history' };
  }
}

/** The file name of the first migration in a commit; empty without migrations. */
function firstMigration(commit: string, migrations: string): string | undefined {
  return git('ls-tree', '--name-only', commit, `${migrations}/`).split('\n')[0];
}
