/** Actions that a session may allow; viewing is always allowed. */
export const PORTAL_ACTIONS = ['create', 'rotate', 'revoke'] as const;
export type PortalAction = (typeof PORTAL_ACTIONS)[number];

export const PORTAL_STATES = ['UNOPENED', 'OPEN', 'EXPIRED', 'REVOKED'] as const;
export type PortalState = (typeof PORTAL_STATES)[number];

export const PORTAL_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type PortalLanguage = (typeof PORTAL_LANGUAGES)[number];
