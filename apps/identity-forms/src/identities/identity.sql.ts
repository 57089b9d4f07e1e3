import { type Statement } from '@gatehouse/kit/sql';

const COLUMNS = `id, schema_id AS "schemaId", schema_version AS "schemaVersion", traits,
         created_at AS "createdAt", updated_at AS "updatedAt"`;

export const FIND_IDENTITY: Statement = {
  name: 'find-identity',
  text: `SELECT ${COLUMNS} FROM forms.identities WHERE id = $1`,
};

export const LOCK_IDENTITY: Statement = {
  text: 'SELECT updated_at AS "updatedAt" FROM forms.identities WHERE id = $1 FOR UPDATE',
};

/** Newest first. $1 id to continue below or null, $2 limit. */
export const LIST_IDENTITIES: Statement = {
  text: `SELECT ${COLUMNS} FROM forms.identities WHERE $1::uuid IS NULL OR id < $1
          ORDER BY id DESC LIMIT $2`,
};

/** Newest first. $1 schema, $2 id to continue below or null, $3 limit. A range: see ADR 0057. */
export const LIST_IDENTITIES_OF_SCHEMA: Statement = {
  text: `SELECT ${COLUMNS} FROM forms.identities
          WHERE schema_id BETWEEN $1 AND $1 AND ($2::uuid IS NULL OR id < $2)
          ORDER BY schema_id DESC, id DESC LIMIT $3`,
};

/** Those with one of the identifiers whose digests are $4. $1 schema or null, $2 and $3 as before. */
export const LIST_IDENTIFIED: Statement = {
  text: `SELECT ${COLUMNS} FROM forms.identities
          WHERE id IN (SELECT identity_id FROM forms.identifiers
                        WHERE digest = ANY($4::bytea[]) AND ($1::text IS NULL OR schema_id = $1))
            AND ($2::uuid IS NULL OR id < $2)
          ORDER BY id DESC LIMIT $3`,
};

/** Newest first. $1 id or null, $2 the digests of an identifier, $3 limit. */
export const SEARCH_IDENTITIES: Statement = {
  text: `SELECT ${COLUMNS} FROM forms.identities
          WHERE id IN (SELECT $1::uuid UNION ALL
                       (SELECT identity_id FROM forms.identifiers
                         WHERE digest = ANY($2::bytea[]) LIMIT $3))
          ORDER BY id DESC LIMIT $3`,
};

export const INSERT_IDENTITY: Statement = {
  name: 'insert-identity',
  text: `INSERT INTO forms.identities
           (id, schema_id, schema_version, traits, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (id) DO NOTHING RETURNING id`,
};

export const UPDATE_IDENTITY: Statement = {
  text: `UPDATE forms.identities SET schema_version = $2, traits = $3, updated_at = $4
          WHERE id = $1`,
};

export const DELETE_IDENTITY: Statement = {
  text: `DELETE FROM forms.identities WHERE id = $1
         RETURNING id, schema_id AS "schemaId", schema_version AS "schemaVersion"`,
};

/** Deletes the identifiers of an identity that are not among $2. */
export const DELETE_OTHER_IDENTIFIERS: Statement = {
  text: 'DELETE FROM forms.identifiers WHERE identity_id = $1 AND digest <> ALL($2::bytea[])',
};

/** Inserts identifiers in the order of $3. @returns those that belong to this identity now */
export const CLAIM_IDENTIFIERS: Statement = {
  name: 'claim-identifiers',
  text: `INSERT INTO forms.identifiers AS held (schema_id, digest, identity_id)
         SELECT $1, digest, $2 FROM unnest($3::bytea[]) WITH ORDINALITY AS wanted (digest, position)
          ORDER BY position
         ON CONFLICT (schema_id, digest) DO UPDATE SET identity_id = held.identity_id
          WHERE held.identity_id = excluded.identity_id
         RETURNING digest`,
};

export const FIND_HOLDER: Statement = {
  text: 'SELECT identity_id AS id FROM forms.identifiers WHERE schema_id = $1 AND digest = $2',
};
