/** Statements of the key link; `$1` is the source of the events of identities. */
import { KEY_SERVICE_ENDPOINT } from '@gatehouse/delivery';
import { type Statement } from '@gatehouse/kit/sql';

const COLUMNS = `k.actor_prefix, k.on_delete, k.revision::float AS revision, k.updated_at`;

export const FIND_LINK: Statement = {
  text: `SELECT ${COLUMNS} FROM forms.key_links k WHERE k.source_id = $1`,
};

/** Makes or replaces the link. Its lane begins with the next event. */
export const PUT_LINK: Statement = {
  text: `WITH lane AS (
      INSERT INTO forms.endpoints (id, source_id, url, types, on_poison, cursor)
      VALUES ('${KEY_SERVICE_ENDPOINT}', $1, '', '{identity.deleted}', 'block',
        coalesce(pg_sequence_last_value('forms.event_sequence'), 0))
      ON CONFLICT DO NOTHING)
    INSERT INTO forms.key_links AS k (source_id, actor_prefix, on_delete) VALUES ($1, $2, $3)
    ON CONFLICT (source_id) DO UPDATE SET actor_prefix = $2, on_delete = $3, updated_at = now(),
      revision = nextval('forms.key_link_revisions')
    RETURNING ${COLUMNS}`,
};

export const DELETE_LINK: Statement = {
  text: `WITH lane AS (
      DELETE FROM forms.endpoints WHERE id = '${KEY_SERVICE_ENDPOINT}' AND source_id = $1)
    DELETE FROM forms.key_links WHERE source_id = $1 RETURNING 1`,
};
