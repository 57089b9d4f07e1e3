/** Systems with one source, the service itself. A worker delivers them with `plainSystem`. */
export const KEY_EVENTS = {
  schema: 'keys',
  sourceId: '00000000-0000-4000-8000-000000000002',
} as const;

export const IDENTITY_EVENTS = {
  schema: 'forms',
  sourceId: '00000000-0000-4000-8000-000000000003',
} as const;
