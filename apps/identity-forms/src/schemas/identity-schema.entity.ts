import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A registered identity schema: its id, whether it is public, and its current version. */
@Entity({ schema: 'forms', name: 'schemas' })
export class IdentitySchema {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'is_public', type: 'boolean' })
  isPublic!: boolean;

  @Column({ name: 'current_version', type: 'integer' })
  currentVersion!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
