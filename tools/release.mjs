// @ts-check
// `npm run release -- 0.2.0`: makes a version of what is unreleased. docs/releases.md explains it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from './local-stack/commands.mjs';
import { StackFault, reasonOf, runMain } from './local-stack/fault.mjs';
import { workspace } from './local-stack/layout.mjs';
import { readOptions } from './local-stack/options.mjs';
import { describeRelease, signRelease } from './release/artifacts.mjs';
import { released } from './release/changelog.mjs';
import { buildahVersion, buildImage } from './release/image.mjs';
import { signingKey } from './release/sigstore.mjs';

const USAGE = 'npm run release -- VERSION [--dry-run] [--tested]';
/** Where the version is a part of a text: `-0.1.0.tgz`, `:0.1.0`, `newTag: 0.1.0`. */
const NAMES_VERSION = ['*.md', '*.yml', '*.yaml', 'examples/*/package.json', 'libs/*/package.json'];
const RELEASES = 'tools/upgrade/releases.json';
const CHANGELOG = 'CHANGELOG.md';

await runMain(async () => {
  const { values, positionals } = readOptions(
    process.argv.slice(2),
    { 'dry-run': { type: 'boolean' }, tested: { type: 'boolean' } },
    { usage: USAGE, positionals: 1 },
  );
  const [version = ''] = positionals;
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new StackFault(`"${version}" is not a version`, `Usage: ${USAGE}`, 2);
  }
  const before = JSON.parse(read('package.json')).version;
  refuseUnlessReady(version, before);
  const keys = signingKeys();
  const changelog = changelogOf(version);
  const files = filesNaming(before);
  say(`${before} → ${version}: ${[CHANGELOG, 'package.json', RELEASES, ...files].join(', ')}`);
  if (values['dry-run']) return say('Nothing was changed (--dry-run).');

  if (!values.tested) run('npm', 'run', 'test:all');
  write(CHANGELOG, changelog);
  for (const file of files) write(file, read(file).replaceAll(versionIn(before), `$1${version}`));
  recordRelease(before);
  run('npm', 'version', version, '--no-git-tag-version');
  run('env', 'UPDATE_SNAPSHOTS=1', 'npm', 'test', '--', '--tier', 'unit', '--filter', 'openapi');
  run('git', 'commit', '--quiet', '--all', '--message', `Release ${version}`);

  const folder = join(workspace, '.local', 'release', version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run('npm', 'run', 'pack', '--', '--to', folder);
  const commit = git('rev-parse', 'HEAD');
  const source = gitSetting('remote.origin.url').replace(/\/\/[^/]*@/, '//');
  const image = buildahVersion()
    ? buildImage({ version, commit, source }, join(folder, 'image.tar'))
    : undefined;
  say(image ? `Image: ${image.digest}` : 'Buildah is not installed: the image was not built.');
  describeRelease(folder, { version, commit, source, image });
  const signatures = signRelease(folder, keys);
  if (signatures.length === 0) say('Not signed: neither RELEASE_SSH_KEY nor RELEASE_KEY is set.');
  const isSigned = gitSetting('user.signingKey') !== '';
  run('git', 'tag', isSigned ? '--sign' : '--annotate', '--message', version, `v${version}`);
  say(`Made v${version} and ${folder}. Publish both: docs/releases.md.`);
});

/**
 * @param {string} version
 * @param {string} before
 */
function refuseUnlessReady(version, before) {
  if (version.localeCompare(before, 'en', { numeric: true }) <= 0) {
    throw new StackFault(`${version} is not newer than ${before}`, `Usage: ${USAGE}`, 2);
  }
  if (git('status', '--porcelain') !== '') {
    throw new StackFault('There are changes without a commit', 'Commit them, or take them back.');
  }
  if (git('tag', '--list', `v${version}`) !== '') {
    throw new StackFault(`The tag v${version} is there already`, 'Choose another version.');
  }
}

/** Reads them before anything is changed, so that a wrong one is not found after the build. */
function signingKeys() {
  const { RELEASE_SSH_KEY: sshKey, RELEASE_KEY: key } = process.env;
  try {
    if (sshKey) readFileSync(sshKey);
    if (key) signingKey(readFileSync(key, 'utf8'));
  } catch (error) {
    throw new StackFault(reasonOf(error), 'docs/releases.md describes the keys.', 2);
  }
  return { sshKey, key };
}

/** @param {string} version */
function changelogOf(version) {
  try {
    return released(read(CHANGELOG), version, new Date().toISOString().slice(0, 10));
  } catch (error) {
    throw new StackFault(String(error), 'Say in CHANGELOG.md what changes for users.');
  }
}

/** @param {string} version */
function filesNaming(version) {
  const files = git('ls-files', ...NAMES_VERSION).split('\n');
  const isFixed = (/** @type {string} */ file) =>
    file === CHANGELOG || file.startsWith('docs/adr/');
  return files.filter((file) => !isFixed(file) && versionIn(version).test(read(file)));
}

/** @param {string} version */
function versionIn(version) {
  const text = version.replaceAll('.', '\\.');
  return new RegExp(`(gatehouse[a-z-]*[:-]|_TAG:-|_TAG=|newTag: |ersion: )${text}(?!\\.?\\d)`, 'g');
}

/**
 * Pins the release before by its commit, for clones without tags.
 * @param {string} version
 */
function recordRelease(version) {
  const commits = JSON.parse(read(RELEASES));
  commits[version] ??= git('rev-parse', '--verify', `v${version}^{commit}`);
  write(RELEASES, `${JSON.stringify(commits, null, 2)}\n`);
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: workspace, encoding: 'utf8' }).trim();
}

/** @param {string} name */
function gitSetting(name) {
  return ask('git', ['config', '--get', name], { cwd: workspace }).output;
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function run(program, ...args) {
  execFileSync(program, args, { cwd: workspace, stdio: 'inherit' });
}

/** @param {string} file */
function read(file) {
  return readFileSync(join(workspace, file), 'utf8');
}

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  writeFileSync(join(workspace, file), text);
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}
