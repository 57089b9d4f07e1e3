/**
 * `keys.apply_people`: what became of the people of a directory, so that the keys of those who leave stop.
 * The sender computes which actors of keys a person is, so the key service learns nothing else of them.
 */
import { exactObject, FLAG, type JsonSchema, listOf, orNull, TEXT, TEXTS } from './json-schema.js';

/** What happens to the keys of an actor; `off`: nothing. */
export const LINK_ACTIONS = ['off', 'pause', 'revoke'] as const;
export type LinkAction = (typeof LINK_ACTIONS)[number];

/** `deleted`: gone from the directory. */
export const PERSON_STATES = ['active', 'inactive', 'deleted'] as const;
export type PersonState = (typeof PERSON_STATES)[number];

export interface PersonChange {
  /** The user of the directory, or the identity. */
  user_id: string;
  /** The ids that the person has as an actor of keys; former ones keep following the person. */
  actor_ids: readonly string[];
  state: PersonState;
  /** The number of the event in the log of the source; in a snapshot, its `as_of`. */
  sequence: string;
}

/** The key link of a tenant and product. */
export interface PeopleLink {
  /** Rises with each change. */
  revision: number;
  /** What of a person names the actor, such as `email`. */
  attribute: string;
  actor_prefix: string;
  /** Domains of the e-mail addresses that are followed; empty: all. */
  email_domains: readonly string[];
  on_deactivate: LinkAction;
  on_delete: LinkAction;
}

export interface ApplyPeopleRequest {
  /** The directory, or the log of identity forms. */
  source_id: string;
  /** '' for identity forms, as is `product`. */
  tenant: string;
  product: string;
  /** Null: the source is no longer linked. Its people by the number `snapshot.as_of` are forgotten. */
  link: PeopleLink | null;
  /** In the order of their sequence; at most PEOPLE_MAX. */
  people: readonly PersonChange[];
  /**
   * Set for a page of a snapshot of all people of the source. `as_of`: the horizon of the log before the
   * snapshot began, so that it contains every event up to it; it names the snapshot. The last page is
   * complete: people whom no page has named are gone.
   */
  snapshot: { as_of: string; is_complete: boolean } | null;
}

/** `is_done` false: send the same request again, for a part is left to do. */
export interface ApplyPeopleReply {
  is_done: boolean;
}

/** People of one request. */
export const PEOPLE_MAX = 500;

const oneOf = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: [...values] });

const LINK = exactObject({
  revision: { type: 'integer', minimum: 1 },
  attribute: TEXT,
  actor_prefix: TEXT,
  email_domains: TEXTS,
  on_deactivate: oneOf(LINK_ACTIONS),
  on_delete: oneOf(LINK_ACTIONS),
});

const PERSON = exactObject({
  user_id: TEXT,
  actor_ids: TEXTS,
  state: oneOf(PERSON_STATES),
  sequence: TEXT,
});

export const APPLY_PEOPLE_REQUEST: JsonSchema = exactObject({
  source_id: TEXT,
  tenant: TEXT,
  product: TEXT,
  link: orNull(LINK),
  people: listOf(PERSON),
  snapshot: orNull(exactObject({ as_of: TEXT, is_complete: FLAG })),
});

export const APPLY_PEOPLE_REPLY: JsonSchema = exactObject({ is_done: FLAG });
