/** The kinds of records that a search finds, in the order of its answer. */
export const HIT_KINDS = [
  'directory',
  'user',
  'group',
  'webhook_endpoint',
  'setup_link',
  'run',
  'scim_request',
  'event',
] as const;
export type HitKind = (typeof HIT_KINDS)[number];

/** A record that a search has found, as the management API returns it. */
export interface Hit {
  kind: HitKind;
  id: string;
  /** The name of the record, such as a userName or a URL. */
  title: string;
  /** What distinguishes it from others of the same title, such as its tenant and product. */
  detail: string;
  /** The id of its directory; '' for a directory. */
  parent_id: string;
}
