import { foldUserName } from './user-name.js';

describe('foldUserName', () => {
  it.each([
    ['Ann@Example.COM', 'ann@example.com'],
    ['caf\u00e9', 'CAFE\u0301'],
    ['\uff21\uff4e\uff4e', 'ann'],
    ['\u212a', 'k'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['\u1e9e', 'ß'],
  ])('%s and %s are one name', (one, other) => {
    expect(foldUserName(one)).toBe(foldUserName(other));
  });

  it('keeps apart what is not the same name', () => {
    const names = ['ann', 'anna', 'ann ', 'änn', 'x²', 'x2', 'ss', 'ß', 'ı', 'i'];
    expect(new Set(names.map(foldUserName)).size).toBe(names.length);
  });

  it('folds the beginning of a name to the beginning of what the name folds to', () => {
    expect(foldUserName('ΟΔΥΣΣΕΥΣ').startsWith(foldUserName('ΟΔΥΣ'))).toBe(true);
  });

  it('folds what is folded to itself', () => {
    for (const name of ['İstanbul', 'ΟΔΥΣ', 'CAFE\u0301', '\uff21']) {
      expect(foldUserName(foldUserName(name))).toBe(foldUserName(name));
    }
  });
});
