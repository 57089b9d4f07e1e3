/** Statements that find records of all directories, by id or by the beginning of a text. */
import { type Statement } from '@gatehouse/kit/sql';
import { type HitKind } from './hit.types.js';

/** Records `r`, each of a directory `d`, and how they are shown. */
interface Source {
  kind: HitKind;
  from: string;
  /** The column of the directory. */
  owner: string;
  title: string;
  /** The beginning of the detail; nulls are left out. */
  notes: string;
}

const DIRECTORIES: Source = {
  kind: 'directory',
  from: '(SELECT * FROM dsync.directories WHERE deleted_at IS NULL)',
  owner: 'id',
  title: 'r.name',
  notes: `CASE WHEN r.deactivated THEN 'deactivated' END`,
};

const USERS: Source = {
  kind: 'user',
  from: 'dsync.users',
  owner: 'directory_id',
  title: 'r.user_name',
  notes: `nullif(r.display_name, ''), CASE WHEN r.email COLLATE "C" <> r.user_name THEN r.email END,
    CASE WHEN NOT r.active THEN 'inactive' END`,
};

const GROUPS: Source = {
  kind: 'group',
  from: 'dsync.groups',
  owner: 'directory_id',
  title: 'r.display_name',
  notes: 'NULL',
};

const ENDPOINTS: Source = {
  kind: 'webhook_endpoint',
  // Without an address: the lane of the key service, and that of a directory without a webhook.
  from: `(SELECT * FROM dsync.endpoints WHERE url <> '')`,
  owner: 'source_id',
  title: 'r.url',
  notes: 'r.state, d.name',
};

/** Kinds that are found by id only. */
const OTHERS: readonly Source[] = [
  {
    kind: 'setup_link',
    from: 'dsync.setup_links',
    owner: 'directory_id',
    title: 'd.name',
    notes: 'NULL',
  },
  {
    kind: 'run',
    from: 'dsync.workspace_runs',
    owner: 'directory_id',
    title: 'd.name',
    notes: 'r.state',
  },
  {
    kind: 'scim_request',
    from: 'dsync.scim_requests',
    owner: 'directory_id',
    title: `r.method || ' ' || r.path`,
    notes: 'r.status, d.name',
  },
  {
    kind: 'event',
    from: 'dsync.events',
    owner: 'source_id',
    title: 'r.type',
    notes: 'd.name',
  },
];

const hitOf = ({ kind, owner, title, notes }: Source) =>
  `SELECT '${kind}' AS kind, r.id, ${title} AS title,
    concat_ws(' · ', ${notes}, d.tenant, d.product) AS detail,
    ${kind === 'directory' ? `''` : `r.${owner}::text`} AS parent_id`;

const ofDirectory = ({ owner }: Source) =>
  `JOIN dsync.directories d ON d.id = r.${owner} AND d.deleted_at IS NULL`;

/** The record with the id `$1`, of any kind. */
export const FIND_HITS_BY_ID: Statement = {
  name: 'dsync_find_hits_by_id',
  text: [DIRECTORIES, USERS, GROUPS, ENDPOINTS, ...OTHERS]
    .map(
      (source) => `${hitOf(source)} FROM ${source.from} r ${ofDirectory(source)} WHERE r.id = $1`,
    )
    .join(' UNION ALL '),
};

/**
 * How many records are read by each text. It is more than a search may ask for, because those of deleted
 * directories, which are there until they have been purged, are passed over.
 */
const READ_MAX = 50;

/** A text by which records are found. It has an index of exactly this expression and condition. */
interface SearchedText {
  text: string;
  condition?: string;
  /** The parameters of the first text and of the end. */
  range?: readonly [string, string];
}

const folded = (text: string) => `left(lower(${text} COLLATE "und-x-icu") COLLATE "C", 255)`;

/** The first records by one text: a part of its index, in the order of the index. */
const firstBy = (
  { from }: Source,
  { text, condition = 'true', range = ['$1', '$2'] }: SearchedText,
) =>
  `(SELECT *, ${text} AS found FROM ${from} s
    WHERE ${condition} AND ${text} >= ${range[0]} AND ${text} < ${range[1]}
    ORDER BY ${text} LIMIT ${READ_MAX})`;

/**
 * At most `$3` records with a text from `$1` on and before `$2`, in the order of the texts. Without a name:
 * a plan that was made for an empty table would read all of a large one.
 */
const firstOf = (source: Source, texts: readonly SearchedText[]): Statement => ({
  text: `${hitOf(source)}
    FROM (SELECT DISTINCT ON (${source.owner}, id) *
      FROM (${texts.map((text) => firstBy(source, text)).join(' UNION ALL ')}) t
      ORDER BY ${source.owner}, id, found) r
    ${ofDirectory(source)}
    ORDER BY r.found, r.id LIMIT $3`,
});

const EXTERNAL_ID = { text: folded('external_id'), condition: 'external_id IS NOT NULL' };
const DISPLAY_NAME = { text: 'left(display_name_lower, 255)' };

export const FIRST_DIRECTORIES = firstOf(DIRECTORIES, [
  { text: folded('name') },
  { text: folded('tenant') },
]);

/** The userName is from `$4` on and before `$5`, because it is folded in its own way. */
export const FIRST_USERS = firstOf(USERS, [
  { text: 'left(user_name_lower, 255)', range: ['$4', '$5'] },
  { text: folded('email'), condition: 'email COLLATE "C" <> user_name' },
  { ...DISPLAY_NAME, condition: 'display_name_lower IS NOT NULL' },
  EXTERNAL_ID,
]);

export const FIRST_GROUPS = firstOf(GROUPS, [DISPLAY_NAME, EXTERNAL_ID]);

/** By the address without its scheme. */
export const FIRST_ENDPOINTS = firstOf(ENDPOINTS, [
  { text: folded(`substr(url, strpos(url, '//') + 2)`) },
]);

export const FIRST_USERS_BY_EXTERNAL_ID = firstOf(USERS, [EXTERNAL_ID]);
export const FIRST_GROUPS_BY_EXTERNAL_ID = firstOf(GROUPS, [EXTERNAL_ID]);
