import { ifMatchHolds, ifNoneMatchHolds, preconditionFailed, versionTag } from './entity-tag.js';

const tag = versionTag(3);

it('writes weak tags', () => {
  expect(tag).toBe('W/"3"');
});

it.each([
  ['W/"3"', true],
  ['"3"', true],
  ['3', true],
  ['*', true],
  ['W/"2", W/"3"', true],
  ['W/"2","3"', true],
  ['W/"2"', false],
  ['2', false],
  ['W/"33"', false],
  ['nonsense"', false],
])('the header %s names the version: %s', (header, isNamed) => {
  expect(ifMatchHolds(header, tag)).toBe(isNamed);
  expect(ifNoneMatchHolds(header, tag)).toBe(!isNamed);
});

it('allows the request without the header', () => {
  expect(ifMatchHolds(undefined, tag)).toBe(true);
  expect(ifNoneMatchHolds(undefined, tag)).toBe(true);
});

it.each(['', ' '])('an empty header names no version (%j)', (header) => {
  expect(ifMatchHolds(header, tag)).toBe(false);
  expect(ifNoneMatchHolds(header, tag)).toBe(true);
});

it('answers 412', () => {
  expect(preconditionFailed().body()).toMatchObject({ status: '412' });
});
