/** Commits of the project: what git says of them, and a build of one. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sameVersions } from '#local-stack/install.mjs';
import { workspace } from '#local-stack/layout.mjs';

/** A commit to upgrade from, or the reason why it is missing. */
export type EarlierVersion = { commit: string } | { missing: string };

/** @throws Error if git fails */
export function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: workspace,
    encoding: 'utf8',
    maxBuffer: 100 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** Builds a commit in a folder of its own, with the packages of its lock file. */
export function buildCommit(commit: string): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-before-'));
  const archive = join(folder, 'source.tar');
  git('archive', `--output=${archive}`, commit);
  execFileSync('tar', ['-xf', archive], { cwd: folder });
  if (hasPackagesOf(commit)) {
    symlinkSync(join(workspace, 'node_modules'), join(folder, 'node_modules'));
  } else {
    const options = [
      '--omit=dev',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
    ];
    execFileSync('npm', ['ci', ...options], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  // As the target "compile" of nx.json, for all projects at once.
  const swc = `${join(workspace, 'node_modules/.bin/swc')} apps/*/src libs/*/src --out-dir dist`;
  execFileSync('sh', ['-c', `${swc} --config-file .swcrc --copy-files --quiet`], { cwd: folder });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
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
