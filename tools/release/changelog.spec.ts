import { released } from './changelog.mjs';

const BEFORE = `# Changelog

## [Unreleased]

### Added

- A door.

## [0.1.0] - 2026-01-01

- A gate.
`;

it('makes a version of what was unreleased', () => {
  expect(released(BEFORE, '0.2.0', '2026-02-01')).toBe(
    BEFORE.replace('## [Unreleased]\n', '## [Unreleased]\n\n## [0.2.0] - 2026-02-01\n'),
  );
});

it('refuses a version that is there, and one without changes', () => {
  expect(() => released(BEFORE, '0.1.0', '')).toThrow('has 0.1.0 already');
  const empty = released(BEFORE, '0.2.0', '2026-02-01');
  expect(() => released(empty, '0.3.0', '')).toThrow('nothing under [Unreleased]');
});
