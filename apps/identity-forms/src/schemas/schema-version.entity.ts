import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** One version of a schema; never changed once written. */
@Entity({ schema: 'forms', name: 'schema_versions' })
export class SchemaVersion {
  @PrimaryColumn({ name: 'schema_id', type: 'text' })
  schemaId!: string;

  @PrimaryColumn({ type: 'integer' })
  version!: number;

  /** SHA-256 of `document`. */
  @Column({ type: 'bytea' })
  digest!: Buffer;

  /** The JSON Schema as JSON text without white space. Members keep their order. */
  @Column({ type: 'text' })
  document!: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
