/** The theme of a schema, `x-theme` at its top. */
import { type JsonValue, type SchemaFault } from '@gatehouse/form-decoder';
import { readTheme, type Theme, themeFaults } from '@gatehouse/pages';
import { isObject } from '@gatehouse/kit/input';

export function schemaThemeFaults(schema: JsonValue): SchemaFault[] {
  const theme = isObject(schema) ? schema['x-theme'] : undefined;
  if (theme === undefined) return [];
  return themeFaults(theme).map(({ pointer, message }) => ({
    pointer: `/x-theme${pointer}`,
    code: 'schema.theme',
    message,
  }));
}

/** The theme of a registered schema. Members that would be refused today are left out. */
export function schemaTheme(schema: object): Theme {
  return readTheme((schema as { 'x-theme'?: unknown })['x-theme']);
}
