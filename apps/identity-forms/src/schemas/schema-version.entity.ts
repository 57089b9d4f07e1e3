import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** One content that a schema had or has; never changed once written. */
@Entity({ schema: 'forms', name: 'schema_versions' })
export class SchemaVersion {
  @PrimaryColumn({ name: 'schema_id', type: 'text' })
  schemaId: string;

  @PrimaryColumn({ type: 'integer' })
  version: number;

  /** SHA-256 of `document`. */
  @Column({ type: 'bytea' })
  digest: Buffer;

  /** The JSON Schema as JSON text, without insignificant white space, members in their order. */
  @Column({ type: 'text' })
  document: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
