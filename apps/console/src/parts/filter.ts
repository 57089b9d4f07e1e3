/** A filter of the key service (AIP-160): fields that equal values. Those without a value are left out. */
export function filterOf(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .flatMap(([field, value]) => (value ? `${field}="${value.replaceAll(/["\\]/g, '\\$&')}"` : []))
    .join(' AND ');
}
