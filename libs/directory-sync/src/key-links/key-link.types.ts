import { type LinkAction } from '@gatehouse/schemas';

/** Attributes of every user that can name an actor; others are custom attributes of directories. */
export const USER_ATTRIBUTES = ['id', 'userName', 'externalId', 'email'] as const;

/** How the people of a tenant and product are found among the actors of keys, and what stops their keys. */
export interface KeyLinkSettings {
  tenant: string;
  product: string;
  /** What of a user names the actor: one of USER_ATTRIBUTES, or a custom attribute. */
  attribute: string;
  /** Put before the value. */
  actor_prefix: string;
  /** In lower case; empty: any address. */
  email_domains: string[];
  /** The identity provider of the tenant may name any actor. */
  all_actors: boolean;
  on_deactivate: LinkAction;
  on_delete: LinkAction;
}

export interface KeyLinkRow extends KeyLinkSettings {
  revision: number;
  created_at: Date;
  updated_at: Date;
}

/** How the people of a directory reach the key service. */
export interface KeyLinkStatus {
  state: 'healthy' | 'failing';
  /** Why it fails. */
  reason: string | null;
  /** Whether its people are still to be sent whole. */
  snapshot_pending: boolean;
}
