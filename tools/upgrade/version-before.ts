import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sameVersions } from '#local-stack/install.mjs';
import { workspace } from '#local-stack/layout.mjs';

/** The commit before the newest migration, or why it cannot be run here. */
export type VersionBefore = { commit: string } | { missing: string };

/** @param migrations the folder with the migrations of a service */
export function versionBefore(migrations: string): VersionBefore {
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
    if (!hasPackagesOf(commit)) {
      return { missing: `${commit} needs other packages than those in node_modules` };
    }
    return { commit };
  } catch {
    return { missing: 'there is no git history' };
  }
}

/** Builds a commit in a folder of its own, with the packages of this one. */
export function buildCommit(commit: string): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-before-'));
  const archive = join(folder, 'source.tar');
  git('archive', `--output=${archive}`, commit);
  execFileSync('tar', ['-xf', archive], { cwd: folder });
  symlinkSync(join(workspace, 'node_modules'), join(folder, 'node_modules'));
  // As the target "compile" of nx.json, for all projects at once.
  const swc = 'node_modules/.bin/swc apps/*/src libs/*/src --out-dir dist';
  execFileSync('sh', ['-c', `${swc} --config-file .swcrc --copy-files --quiet`], { cwd: folder });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The file name of the first migration in a commit; empty without migrations. */
function firstMigration(commit: string, migrations: string): string | undefined {
  return git('ls-tree', '--name-only', commit, `${migrations}/`).split('\n')[0];
}

/** Whether this lock file has the packages of that of the commit, but for its tools. */
function hasPackagesOf(commit: string): boolean {
  const wanted = Object.entries(packagesIn(git('show', `${commit}:package-lock.json`)));
  const present = packagesIn(readFileSync(join(workspace, 'package-lock.json'), 'utf8'));
  return sameVersions(Object.fromEntries(wanted.filter(([, { dev }]) => !dev)), present);
}

interface LockedPackage {
  version?: string;
  dev?: boolean;
}

function packagesIn(lockFile: string): Record<string, LockedPackage> {
  return (JSON.parse(lockFile) as { packages: Record<string, LockedPackage> }).packages;
}

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: workspace,
    encoding: 'utf8',
    maxBuffer: 100 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
