/** Names for the ids in paths, the same in all operations on the same things. */

/** What things are called whose paths say something else. */
const OWNERS: Readonly<Record<string, string>> = {
  apiKeys: 'key',
  dsync: 'directory',
  importedApiKeys: 'imported_key',
  issuedApiKeys: 'key',
  'v2.0': 'directory',
};

/**
 * A variable of the shell for a parameter, such as `KEY_ID`: named after what comes before it in the path, or
 * else after the parameter.
 */
export function variableOf(path: string, parameter: string): string {
  const [owner] = path.split(`/{${parameter}}`, 1)[0]?.match(/[^/]+$/) ?? [];
  if (owner === undefined || !path.includes(`/{${parameter}}`)) return parameter.toUpperCase();
  const singular = owner.replace(/ies$/, 'y').replace(/s$/, '');
  return `${OWNERS[owner] ?? singular}_id`.replace(/-|(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}

/** The name of the variable in TypeScript. */
export function camelCased(variable: string): string {
  return variable.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
