import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A person: traits that were valid by the named version of the schema when they were written. */
@Entity({ schema: 'forms', name: 'identities' })
export class Identity {
  /** UUID v7: newer is greater. */
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'schema_id', type: 'text' })
  schemaId: string;

  @Column({ name: 'schema_version', type: 'integer' })
  schemaVersion: number;

  @Column({ type: 'jsonb' })
  traits: Record<string, unknown>;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}
