import { KeyRing } from '@gatehouse/crypto';
import { type AdminEvent, AuditEvents } from '@gatehouse/kit/audit';
import { type OutboundPolicy } from '@gatehouse/kit/outbound';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';
import { AUDIT_TABLE } from '../audit/audit-table.js';
import { DirectoryRepository } from '../directories/directory.repository.js';
import { DirectorySecrets } from '../directories/directory-secrets.js';
import { type Usage } from '../quotas/usage.js';
import { DEFAULT_QUOTA } from '../scim/protocol/default-limits.js';
import { Imports } from './imports.js';

export interface ImportsOptions {
  /** Initialized with the entities of `databaseDefinition`, on a migrated database. */
  dataSource: DataSource;
  /** As of the service: the first key seals the secrets that are imported. */
  encryptionKeys: readonly string[];
  /** By default, webhook addresses must be public. */
  outbound?: OutboundPolicy;
  /** Quota of one directory. */
  quota?: Partial<Usage>;
}

/** Imports directories of other products. The worker finds the events of activated ones by its sweep. */
export function createDirectoryImports(options: ImportsOptions): Imports {
  const { dataSource, encryptionKeys, outbound = { allowPrivate: false }, quota } = options;
  const ring = KeyRing.fromTexts(encryptionKeys);
  const sql = sqlOf(dataSource);
  return new Imports({
    sql,
    ring,
    policy: outbound,
    quota: { ...DEFAULT_QUOTA, ...quota },
    repository: new DirectoryRepository(dataSource, sql),
    secrets: new DirectorySecrets(ring),
    audit: new AuditEvents<AdminEvent>(sql, AUDIT_TABLE),
  });
}
