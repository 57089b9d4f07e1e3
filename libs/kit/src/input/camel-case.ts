const camelCaseNames = new Map<string, string>();

/** `rate_limit_policy` as `rateLimitPolicy`. Cached, so pass names that are in the code only. */
export function camelCaseOf(name: string): string {
  let camelCase = camelCaseNames.get(name);
  if (camelCase === undefined) {
    camelCase = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    camelCaseNames.set(name, camelCase);
  }
  return camelCase;
}
