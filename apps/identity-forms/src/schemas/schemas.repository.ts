import { adminEventOf, AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { Sql, type Statement } from '@gatehouse/kit/sql';
import { executorOf } from '@gatehouse/nest-kit/database';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { IdentitySchema } from './identity-schema.entity.js';
import { isSchemaId } from '../schema-id.js';
import { SchemaVersion } from './schema-version.entity.js';

/** One version of a schema. */
export interface StoredSchema {
  id: string;
  isPublic: boolean;
  version: number;
  currentVersion: number;
  document: string;
  createdAt: Date;
}

/** A schema as a search finds it. */
export interface FoundSchema {
  id: string;
  title: string | null;
  version: number;
  isPublic: boolean;
}

const SELECT_VERSION = `
  SELECT s.id, s.is_public AS "isPublic", v.version, s.current_version AS "currentVersion",
         v.document, v.created_at AS "createdAt"
    FROM forms.schemas s
    JOIN forms.schema_versions v ON v.schema_id = s.id`;

const FIND_SCHEMA: Statement = {
  name: 'find-schema',
  text: `${SELECT_VERSION} AND v.version = coalesce($2, s.current_version) WHERE s.id = $1`,
};

const LIST_SCHEMAS: Statement = {
  text: `${SELECT_VERSION} AND v.version = s.current_version WHERE s.id > $1 ORDER BY s.id LIMIT $2`,
};

const SELECT_FOUND = `
  SELECT s.id, forms.schema_title(v.document) AS title, v.version, s.is_public AS "isPublic"
    FROM forms.schemas s
    JOIN forms.schema_versions v ON v.schema_id = s.id AND v.version = s.current_version`;

const FOLDED_ID = 'lower(s.id COLLATE "C")';
const folded = (text: string) => `(lower(${text} COLLATE "und-x-icu") COLLATE "C")`;
const FOLDED_TITLE = folded('forms.schema_title(v.document)');

/** By id. $1 the beginning of an id or a title, $2 the last text that begins so, $3 limit. */
export const SEARCH_SCHEMAS: Statement = {
  text: `(${SELECT_FOUND} WHERE ${FOLDED_ID} BETWEEN lower($1 COLLATE "C") AND lower($2 COLLATE "C")
           ORDER BY ${FOLDED_ID} LIMIT $3)
         UNION
         (${SELECT_FOUND} WHERE ${FOLDED_TITLE} BETWEEN ${folded('$1')} AND ${folded('$2')}
           ORDER BY ${FOLDED_TITLE} LIMIT $3)
         ORDER BY id LIMIT $3`,
};

/** No other character comes after it. */
const LAST_CHARACTER = '\u{10ffff}';

@Injectable()
export class SchemasRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sql: Sql,
    private readonly audit: AuditEvents,
  ) {}

  /** @returns false, without writing, when the id is taken */
  insert(
    schema: { id: string; isPublic: boolean; document: string; digest: Buffer },
    call: CallContext,
  ): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const inserted = await manager
        .createQueryBuilder()
        .insert()
        .into(IdentitySchema)
        .values({ id: schema.id, isPublic: schema.isPublic, currentVersion: 1 })
        .orIgnore()
        .returning(['id'])
        .execute();
      if ((inserted.raw as unknown[]).length === 0) return false;
      await this.insertVersion(manager, schema.id, 1, schema);
      const change = { type: 'schema.registered', targetId: schema.id };
      await this.audit.insert([adminEventOf(change, call)], executorOf(manager));
      return true;
    });
  }

  /**
   * Makes `document` the current version: a new one, or the version that already has this content.
   * Concurrent writers of one schema wait for each other.
   *
   * @returns undefined when there is no such schema
   */
  putVersion(
    schema: { id: string; isPublic: boolean | undefined; document: string; digest: Buffer },
    call: CallContext,
  ): Promise<{ version: number; isNew: boolean } | undefined> {
    return this.dataSource.transaction(async (manager) => {
      const row = await manager.findOne(IdentitySchema, {
        where: { id: schema.id },
        lock: { mode: 'pessimistic_write' },
      });
      if (!row) return undefined;
      const known = await manager.findOne(SchemaVersion, {
        select: { schemaId: true, version: true },
        where: { schemaId: schema.id, digest: schema.digest },
      });
      const version = known?.version ?? (await this.nextVersion(manager, schema.id));
      if (!known) await this.insertVersion(manager, schema.id, version, schema);
      const isPublic = schema.isPublic ?? row.isPublic;
      const fields = [
        ...(row.currentVersion === version ? [] : ['schema']),
        ...(row.isPublic === isPublic ? [] : ['public']),
      ];
      await manager.save(Object.assign(row, { currentVersion: version, isPublic }));
      if (fields.length > 0) {
        const change = {
          type: 'schema.updated',
          targetId: schema.id,
          details: { version, fields },
        };
        await this.audit.insert([adminEventOf(change, call)], executorOf(manager));
      }
      return { version, isNew: !known };
    });
  }

  /** @param version the current one when undefined */
  async find(id: string, version?: number): Promise<StoredSchema | undefined> {
    if (!isSchemaId(id)) return undefined;
    const [row] = await this.sql.rows<StoredSchema>(FIND_SCHEMA, [id, version ?? null]);
    return row;
  }

  /** Current versions by id, after `afterId`. */
  page(afterId: string, limit: number): Promise<StoredSchema[]> {
    return this.sql.rows(LIST_SCHEMAS, [afterId, limit]);
  }

  /** Schemas whose id, or current title, begins with a text in any case, by id. */
  search(prefix: string, limit: number): Promise<FoundSchema[]> {
    return this.sql.rows(SEARCH_SCHEMAS, [prefix, prefix + LAST_CHARACTER, limit]);
  }

  private async nextVersion(manager: EntityManager, id: string): Promise<number> {
    const latest = await manager.maximum(SchemaVersion, 'version', { schemaId: id });
    return (latest ?? 0) + 1;
  }

  private async insertVersion(
    manager: EntityManager,
    schemaId: string,
    version: number,
    { document, digest }: { document: string; digest: Buffer },
  ): Promise<void> {
    await manager.insert(SchemaVersion, { schemaId, version, document, digest });
  }
}
