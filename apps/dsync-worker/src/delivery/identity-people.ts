/** Sends deleted identities to the key service, by the key link of identity forms. */
import { IDENTITY_EVENTS, type InternalReceiver, type StoredEvent } from '@gatehouse/delivery';
import { type ApplyPeople, applyWholly } from '@gatehouse/directory-sync';
import { type Sql, type Statement } from '@gatehouse/kit/sql';
import { type LoggedIdentityData, type PeopleLink, type PersonChange } from '@gatehouse/schemas';

const FIND_LINK: Statement = {
  name: 'forms_key_link',
  text: `SELECT revision::float AS revision, 'id' AS attribute, actor_prefix,
      '{}'::text[] AS email_domains, 'off' AS on_deactivate, on_delete
    FROM forms.key_links WHERE source_id = $1`,
};

/** @param sql the database of identity forms */
export function identityReceiver(sql: Sql, apply: ApplyPeople): InternalReceiver {
  return {
    deliver: async (sourceId, events) => {
      const [link] = await sql.rows<PeopleLink>(FIND_LINK, [sourceId]);
      if (!link) return;
      const people = events.map((event) => deletionOf(event, link));
      const source = { source_id: IDENTITY_EVENTS.sourceId, tenant: '', product: '' };
      await applyWholly(apply, { ...source, link, people, snapshot: null });
    },
  };
}

function deletionOf({ data, sequence }: StoredEvent, link: PeopleLink): PersonChange {
  const { identity_id: user_id } = data as LoggedIdentityData;
  return { user_id, actor_ids: [link.actor_prefix + user_id], state: 'deleted', sequence };
}
