/** Actions that a link may allow, beside choosing a provider and watching the proof. */
export const SETUP_ACTIONS = ['token', 'mapping', 'roles', 'groups'] as const;
export type SetupAction = (typeof SETUP_ACTIONS)[number];

export const SETUP_LOCALES = ['en', 'de', 'fr', 'es'] as const;
export type SetupLocale = (typeof SETUP_LOCALES)[number];

/** Identity providers with a guide; `other` is any that speaks SCIM 2.0. */
export const SETUP_PROVIDERS = [
  'okta',
  'entra',
  'onelogin',
  'jumpcloud',
  'ping',
  'rippling',
  'other',
] as const;
export type SetupProvider = (typeof SETUP_PROVIDERS)[number];

export interface SetupLink {
  id: string;
  directoryId: string;
  allow: SetupAction[];
  /** The custom attributes that `mapping` offers. */
  attributes: string[];
  /** Roles that the `roles` action offers for groups. */
  roles: string[];
  returnUrl: string | null;
  locale: SetupLocale | null;
  provider: SetupProvider | null;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  csrfKey: Buffer;
  /** The hash of the secret in its address. */
  secretSha256: Buffer;
  openedAt: Date | null;
  /** Until then it can be opened again; null before it was opened, and once its session was entered. */
  reopenUntil: Date | null;
  sessionExpiresAt: Date | null;
  sessionEndedAt: Date | null;
  tokenCreatedAt: Date | null;
  /** When an administrator last consented on its pages, of a workspace directory. */
  consentedAt: Date | null;
  /** The path of the page that its session has shown last. */
  step: string | null;
  connectedAt: Date | null;
  completedAt: Date | null;
}

export type SetupLinkState =
  'unopened' | 'open' | 'connected' | 'completed' | 'expired' | 'revoked' | 'ended';

/** A link as the management API shows it. Its address is shown once, when it is created. */
export interface SetupLinkView {
  id: string;
  directory_id: string;
  state: SetupLinkState;
  allow: SetupAction[];
  attributes: string[];
  roles: string[];
  return_url: string | null;
  locale: SetupLocale | null;
  provider: SetupProvider | null;
  created_at: string;
  expires_at: string;
  opened_at: string | null;
  session_expires_at: string | null;
  connected_at: string | null;
  completed_at: string | null;
  revoked_at: string | null;
}

export function setupLinkState(link: SetupLink, now = new Date()): SetupLinkState {
  if (link.revokedAt) return 'revoked';
  if (link.completedAt) return 'completed';
  if (!link.openedAt) return link.expiresAt <= now ? 'expired' : 'unopened';
  if (link.sessionEndedAt) return 'ended';
  if (link.sessionExpiresAt && link.sessionExpiresAt <= now) return 'expired';
  return link.connectedAt ? 'connected' : 'open';
}

export function setupLinkView(link: SetupLink): SetupLinkView {
  return {
    id: link.id,
    directory_id: link.directoryId,
    state: setupLinkState(link),
    allow: link.allow,
    attributes: link.attributes,
    roles: link.roles,
    return_url: link.returnUrl,
    locale: link.locale,
    provider: link.provider,
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
    opened_at: timeOf(link.openedAt),
    session_expires_at: timeOf(link.sessionExpiresAt),
    connected_at: timeOf(link.connectedAt),
    completed_at: timeOf(link.completedAt),
    revoked_at: timeOf(link.revokedAt),
  };
}

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;
