import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

export type FlowKind = 'sign-up' | 'profile';

/** One person's errand: an address that shows a form, takes it once, and expires. */
@Entity({ schema: 'forms', name: 'flows' })
export class Flow {
  /** SHA-256 of the flow's id. The id opens the form, so the table does not hold it. */
  @PrimaryColumn({ name: 'id_digest', type: 'bytea' })
  idDigest: Buffer;

  @Column({ type: 'text' })
  kind: FlowKind;

  @Column({ name: 'schema_id', type: 'text' })
  schemaId: string;

  @Column({ name: 'schema_version', type: 'integer' })
  schemaVersion: number;

  /** Whose profile; null for a sign-up. */
  @Column({ name: 'identity_id', type: 'uuid', nullable: true })
  identityId: string | null;

  @Column({ name: 'return_to', type: 'text', nullable: true })
  returnTo: string | null;

  /** Makes CSRF tokens of a browser's cookie; never leaves the service. */
  @Column({ name: 'csrf_key', type: 'bytea' })
  csrfKey: Buffer;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', nullable: true })
  usedAt: Date | null;
}
