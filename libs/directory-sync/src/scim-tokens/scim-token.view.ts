import { type ScimToken } from './scim-token.types.js';

/** A token of a directory. Its secret is shown when it is created or rotated, and never again. */
export interface ScimTokenView {
  id: string;
  name: string;
  /** The start and the end of the secret, to recognize it. */
  preview: string;
  created_at: string;
  rotated_at: string | null;
  /** Null: it does not expire. */
  expires_at: string | null;
  /** Last use of the current secret, accurate to a minute. */
  last_used_at: string | null;
  /** The secret before the last rotation, while it is valid. */
  previous: { expires_at: string; last_used_at: string | null } | null;
}

export type ScimTokenSecretView = ScimTokenView & { secret: string };

export function scimTokenView(token: ScimToken, now = new Date()): ScimTokenView {
  const { previousUntil, previousUsedAt } = token;
  const previous = previousUntil &&
    previousUntil > now && {
      expires_at: previousUntil.toISOString(),
      last_used_at: textOf(previousUsedAt),
    };
  return {
    id: token.id,
    name: token.name,
    preview: token.preview,
    created_at: token.createdAt.toISOString(),
    rotated_at: textOf(token.rotatedAt),
    expires_at: textOf(token.expiresAt),
    last_used_at: textOf(token.lastUsedAt),
    previous: previous || null,
  };
}

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
