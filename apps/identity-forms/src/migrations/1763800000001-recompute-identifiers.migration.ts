import { compileSchema, type FormPlan, type JsonObject } from '@gatehouse/form-decoder';
import { createHash } from 'node:crypto';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

const BATCH = 500;
const NO_ID = '00000000-0000-0000-0000-000000000000';

interface Row {
  id: string;
  schema_id: string;
  schema_version: number;
  traits: JsonObject;
}

/**
 * Identifiers are compared in a stricter form than before. Of two identities that are equal in that
 * form the older one keeps the identifier; the other is refused it on its next write. A replica of
 * the version before writes the same digests, except for identifiers in an unusual spelling, which
 * are put right on their next write.
 */
export class RecomputeIdentifiers1763800000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const plans = new Map<string, Promise<FormPlan>>();
    for (let after = NO_ID; ;) {
      const rows = (await queryRunner.query(
        `SELECT id, schema_id, schema_version, traits FROM forms.identities
          WHERE id > $1 ORDER BY id LIMIT $2`,
        [after, BATCH],
      )) as Row[];
      for (const row of rows) {
        const key = `${row.schema_version}:${row.schema_id}`;
        const plan = plans.get(key) ?? planOf(queryRunner, row);
        plans.set(key, plan);
        await recompute(queryRunner, row, await plan);
      }
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  /** The digests of before come back with the next write of each identity. */
  async down(): Promise<void> {}
}

async function planOf(
  queryRunner: QueryRunner,
  { schema_id, schema_version }: Row,
): Promise<FormPlan> {
  const [version] = (await queryRunner.query(
    'SELECT document FROM forms.schema_versions WHERE schema_id = $1 AND version = $2',
    [schema_id, schema_version],
  )) as { document: string }[];
  return compileSchema(JSON.parse(version?.document ?? 'null'), { isRegistered: true });
}

async function recompute(
  queryRunner: QueryRunner,
  { id, schema_id, traits }: Row,
  plan: FormPlan,
): Promise<void> {
  const digests = plan
    .identifiersOf({ traits })
    .map(({ value }) => createHash('sha256').update(value).digest());
  await queryRunner.query(
    'DELETE FROM forms.identifiers WHERE identity_id = $1 AND digest <> ALL($2::bytea[])',
    [id, digests],
  );
  await queryRunner.query(
    `INSERT INTO forms.identifiers (schema_id, digest, identity_id)
     SELECT $1, digest, $2 FROM unnest($3::bytea[]) AS digest ON CONFLICT DO NOTHING`,
    [schema_id, id, digests],
  );
}
