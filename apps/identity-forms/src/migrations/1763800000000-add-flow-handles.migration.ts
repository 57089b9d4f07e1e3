import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class AddFlowHandles1763800000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // The public name of a flow. It opens nothing: that takes the address, whose digest is the key.
    await queryRunner.query(
      'ALTER TABLE forms.flows ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE',
    );
    // Without a foreign key: a flow stays used after its identity was deleted.
    await queryRunner.query('ALTER TABLE forms.flows ADD COLUMN result_identity_id uuid');
    // Finds an identity by its identifier in any schema.
    await queryRunner.query('CREATE INDEX identifiers_by_digest ON forms.identifiers (digest)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX forms.identifiers_by_digest');
    await queryRunner.query('ALTER TABLE forms.flows DROP COLUMN result_identity_id');
    await queryRunner.query('ALTER TABLE forms.flows DROP COLUMN id');
  }
}
