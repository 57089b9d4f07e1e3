import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The forms of a session that can be sent only once, and were. */
export class RememberSentForms1796600000001 implements MigrationInterface {
  readonly name = 'RememberSentForms1796600000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE console.sent_forms (
      session_id uuid REFERENCES console.sessions ON DELETE CASCADE,
      nonce uuid,
      PRIMARY KEY (session_id, nonce)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE console.sent_forms');
  }
}
