const NAMES_MAX = 10;

/** Names for a message, such as `"a", "b"`; of a long list, the first ones. */
export function quotedNames(names: readonly string[]): string {
  const quoted = names.slice(0, NAMES_MAX).map((name) => `"${name}"`);
  return [...quoted, ...(names.length > NAMES_MAX ? ['...'] : [])].join(', ');
}
