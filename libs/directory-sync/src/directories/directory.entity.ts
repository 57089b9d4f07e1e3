import { type Endpoint } from '@gatehouse/delivery';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type Connection } from '../connections/connection.types.js';
import { type DirectoryType } from './directory.types.js';

/** A directory connection. Secrets are sealed; the SCIM secret is compared by its SHA-256. */
@Entity({ schema: 'dsync', name: 'directories' })
export class Directory {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  tenant!: string;

  @Column('text')
  product!: string;

  @Column('text')
  type!: DirectoryType;

  /** Incremented by every change; cached data is valid while it is unchanged. */
  @Column('integer')
  revision!: number;

  @Column('boolean')
  deactivated!: boolean;

  /** Whether SCIM requests that the interoperability profile forbids are refused. */
  @Column('boolean')
  strict!: boolean;

  /** Whether a PUT of a group without `members` removes them. */
  @Column('boolean', { name: 'put_clears_members' })
  putClearsMembers!: boolean;

  @Column('jsonb', { name: 'attribute_mapping', nullable: true })
  attributeMapping!: Record<string, string> | null;

  /** Its endpoint with the same id, which the repository adds. */
  webhook!: Endpoint;

  /** The connection of a workspace directory, added by the repository; null for any other. */
  connection!: Connection | null;

  /** Null for a workspace directory, which accepts no SCIM requests, or if it was retired. */
  @Column('text', { name: 'scim_secret_sealed', nullable: true })
  scimSecretSealed!: string | null;

  @Column('bytea', { name: 'scim_secret_sha256', nullable: true })
  scimSecretSha256!: Buffer | null;

  @Column('bytea', { name: 'scim_secret_previous_sha256', nullable: true })
  scimSecretPreviousSha256!: Buffer | null;

  @Column('timestamptz', { name: 'scim_secret_previous_until', nullable: true })
  scimSecretPreviousUntil!: Date | null;

  /** Written once a minute. */
  @Column('timestamptz', { name: 'scim_secret_used_at', nullable: true })
  scimSecretUsedAt!: Date | null;

  /** The number of member references that matched no user or group of this directory. */
  @Column('bigint', { name: 'ignored_members' })
  ignoredMembers!: string;

  /** The last authenticated SCIM request; written once a minute. */
  @Column('timestamptz', { name: 'last_request_at', nullable: true })
  lastRequestAt!: Date | null;

  /** The last request that was not refused; written once a minute. */
  @Column('timestamptz', { name: 'last_success_at', nullable: true })
  lastSuccessAt!: Date | null;

  /** The last request that was refused, and why; written once a minute. */
  @Column('timestamptz', { name: 'last_error_at', nullable: true })
  lastErrorAt!: Date | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;

  /** When it was reported that the directory receives no requests; null since its last one. */
  @Column('timestamptz', { name: 'quiet_at', nullable: true })
  quietAt!: Date | null;

  /** Bodies of requests are logged until then. */
  @Column('timestamptz', { name: 'capture_until', nullable: true })
  captureUntil!: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;

  /** Set on deletion: the directory is gone for callers, its rows are deleted in batches. */
  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;
}
