// @ts-check
/** CHANGELOG.md in the form of Keep a Changelog. */

const UNRELEASED = '## [Unreleased]';

/**
 * @param {string} changelog
 * @param {string} version
 * @param {string} date as 2026-01-31
 * @returns {string} the changelog with what was unreleased as that version
 * @throws {Error} if nothing is unreleased, or the version is there
 */
export function released(changelog, version, date) {
  if (changelog.includes(`\n## [${version}]`)) {
    throw new Error(`CHANGELOG.md has ${version} already`);
  }
  const [head = '', rest] = changelog.split(`${UNRELEASED}\n`);
  const changes = rest?.split('\n## [')[0]?.trim();
  if (!changes) throw new Error('CHANGELOG.md has nothing under [Unreleased]');
  return `${head}${UNRELEASED}\n\n## [${version}] - ${date}\n${rest}`;
}
