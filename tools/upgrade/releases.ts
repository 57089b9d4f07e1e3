import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EarlierVersion, git } from './commits.js';

/**
 * The releases that this version is upgraded from, by version: the tags `v…` in the history of HEAD, and those of
 * releases.json, because a clone may lack tags.
 */
export function releases(): Record<string, EarlierVersion> {
  const text = readFileSync(join(import.meta.dirname, 'releases.json'), 'utf8');
  const commits = { ...(JSON.parse(text) as Record<string, string>), ...taggedReleases() };
  return Object.fromEntries(
    Object.entries(commits).map(([version, commit]) => [version, inHistory(commit)]),
  );
}

function taggedReleases(): Record<string, string> {
  try {
    const format = '--format=%(refname:strip=2) %(objectname) %(*objectname)';
    const lines = git('tag', '--list', 'v*', '--merged', 'HEAD', format).split('\n');
    return Object.fromEntries(
      lines.filter(Boolean).map((line) => {
        const [tag = '', object = '', commit] = line.split(' ');
        return [tag.slice(1), commit || object];
      }),
    );
  } catch {
    return {};
  }
}

function inHistory(commit: string): EarlierVersion {
  try {
    git('cat-file', '-e', `${commit}^{tree}`);
    return { commit };
  } catch {
    return { missing: `git has no commit ${commit}: the clone is shallow, or has no history` };
  }
}
