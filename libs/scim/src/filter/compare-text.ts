/**
 * Orders strings by code point, like PostgreSQL with the collation "C". The operator `<` orders by
 * UTF-16 code unit, which differs above U+FFFF.
 */
export function compareText(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) {
      return rank(left) - rank(right);
    }
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above every other code unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
