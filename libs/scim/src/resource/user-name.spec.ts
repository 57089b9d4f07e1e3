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

  it('keeps different names different', () => {
    const names = ['ann', 'anna', 'ann ', 'änn', 'x²', 'x2', 'ss', 'ß', 'ı', 'i'];
    expect(new Set(names.map(foldUserName)).size).toBe(names.length);
  });

  it('folds a prefix of a name to a prefix of the folded name', () => {
    expect(foldUserName('ΟΔΥΣΣΕΥΣ').startsWith(foldUserName('ΟΔΥΣ'))).toBe(true);
  });

  it('is idempotent', () => {
    for (const name of ['İstanbul', 'ΟΔΥΣ', 'CAFE\u0301', '\uff21']) {
      expect(foldUserName(foldUserName(name))).toBe(foldUserName(name));
    }
  });
});
