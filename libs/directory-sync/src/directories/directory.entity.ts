import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DirectoryType } from './directory.types.js';

/** A directory connection. Its secrets are sealed; the SCIM secret is compared by its SHA-256. */
@Entity({ schema: 'dsync', name: 'directories' })
export class Directory {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  tenant: string;

  @Column('text')
  product: string;

  @Column('text')
  type: DirectoryType;

  /** Counts its changes: what was read of it before is true while this is the same. */
  @Column('integer')
  revision: number;

  @Column('boolean')
  deactivated: boolean;

  @Column('boolean', { name: 'log_webhook_events' })
  logWebhookEvents: boolean;

  @Column('jsonb', { name: 'attribute_mapping', nullable: true })
  attributeMapping: Record<string, string> | null;

  @Column('text', { name: 'webhook_endpoint', nullable: true })
  webhookEndpoint: string | null;

  @Column('text', { name: 'webhook_secret_sealed', nullable: true })
  webhookSecretSealed: string | null;

  @Column('text', { name: 'webhook_secret_previous_sealed', nullable: true })
  webhookSecretPreviousSealed: string | null;

  @Column('timestamptz', { name: 'webhook_secret_previous_until', nullable: true })
  webhookSecretPreviousUntil: Date | null;

  /** Set when the endpoint answered 410: nothing is sent until it gets a new address. */
  @Column('timestamptz', { name: 'webhook_stopped_at', nullable: true })
  webhookStoppedAt: Date | null;

  /** Null for a workspace directory: it takes no SCIM requests at all. */
  @Column('text', { name: 'scim_secret_sealed', nullable: true })
  scimSecretSealed: string | null;

  @Column('bytea', { name: 'scim_secret_sha256', nullable: true })
  scimSecretSha256: Buffer | null;

  @Column('bytea', { name: 'scim_secret_previous_sha256', nullable: true })
  scimSecretPreviousSha256: Buffer | null;

  @Column('timestamptz', { name: 'scim_secret_previous_until', nullable: true })
  scimSecretPreviousUntil: Date | null;

  @Column('text', { name: 'workspace_domain', nullable: true })
  workspaceDomain: string | null;

  @Column('text', { name: 'workspace_access_token_sealed', nullable: true })
  workspaceAccessTokenSealed: string | null;

  @Column('text', { name: 'workspace_refresh_token_sealed', nullable: true })
  workspaceRefreshTokenSealed: string | null;

  /** How many member references of its groups named nobody of this directory. */
  @Column('bigint', { name: 'ignored_members' })
  ignoredMembers: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  /** Deleted for every caller; its rows go away in batches. */
  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}
