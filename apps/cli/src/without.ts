/** A copy of an object without some of its members. */
export function without<T extends object, Name extends keyof T & string>(
  object: T,
  ...names: Name[]
): Omit<T, Name> {
  const kept = Object.entries(object).filter(([name]) => !names.includes(name as Name));
  return Object.fromEntries(kept) as Omit<T, Name>;
}
