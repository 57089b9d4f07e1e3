import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** What happened to an identity; written in the transaction of the change itself. */
@Entity({ schema: 'forms', name: 'events' })
export class IdentityEvent {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  type: string;

  @Column({ name: 'identity_id', type: 'uuid' })
  identityId: string;

  @Column({ type: 'jsonb' })
  payload: Record<string, unknown>;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
