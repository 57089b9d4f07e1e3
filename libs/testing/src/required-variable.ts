/** A variable that `npm test` sets for the tests. @throws when it is not set */
export function requiredVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with "npm test"`);
  return value;
}
