/**
 * Compiled schemas by id and version. A version never changes, so its plan is kept as long as
 * there is room; which version is current may change on another replica, so that is asked again
 * after SCHEMA_CACHE_TTL. Many requests for one schema that is not here yet compile it once. While
 * the database is away, what is known goes on being served.
 */
import { compileSchema, type FormPlan } from '@gatehouse/form-decoder';
import { isUnavailable } from '@gatehouse/service-kit';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { IdentityFormsConfig } from '../config.js';
import { schemaLimits } from './schema-limits.js';
import { schemaNotFound } from './schema.errors.js';
import { SchemasRepository, type StoredSchema } from './schemas.repository.js';

export interface CompiledSchema {
  id: string;
  version: number;
  plan: FormPlan;
}

interface CurrentVersion {
  version: number;
  isPublic: boolean;
}

@Injectable()
export class SchemaCatalogue {
  private readonly compiled: LRUCache<string, CompiledSchema>;
  private readonly current: LRUCache<string, CurrentVersion>;
  private readonly loading = new Map<string, Promise<CompiledSchema>>();
  /** How often a version that was current has changed here. */
  private changes = 0;

  constructor(
    private readonly schemas: SchemasRepository,
    private readonly config: IdentityFormsConfig,
  ) {
    this.compiled = new LRUCache({ max: config.schemaCacheMax });
    this.current = new LRUCache({
      max: config.schemaCacheMax * 4,
      ttl: Math.max(1, config.schemaCacheTtlSeconds * 1000),
      noDeleteOnStaleGet: true,
    });
  }

  /**
   * @param version the current one when undefined
   * @returns at once what is cached, else a promise
   * @throws DomainError `not_found`
   */
  get(id: string, version?: number): CompiledSchema | Promise<CompiledSchema> {
    return this.known(id, version) ?? this.load(id, version);
  }

  /** What is cached, the current version when undefined. */
  known(id: string, version?: number): CompiledSchema | undefined {
    const wanted = version ?? this.current.get(id)?.version;
    return wanted === undefined ? undefined : this.compiled.get(keyOf(id, wanted));
  }

  /** The current version of a public schema. @throws DomainError `not_found` for any other */
  async getPublic(id: string): Promise<CompiledSchema> {
    const schema = await this.get(id);
    const isPublic = this.current.get(id)?.isPublic ?? (await this.schemas.find(id))?.isPublic;
    if (isPublic !== true) throw schemaNotFound(id);
    return schema;
  }

  /**
   * Drops what is known of the current version, also what a load under way is about to know; called
   * when it has changed.
   */
  forget(id: string): void {
    this.changes += 1;
    this.current.delete(id);
    this.loading.delete(keyOf(id, 0));
  }

  /** Many who want the same schema at once wait for one load. */
  private load(id: string, version?: number): Promise<CompiledSchema> {
    const key = keyOf(id, version ?? 0);
    let loading = this.loading.get(key);
    if (!loading) {
      const started = this.loadOnce(id, version).finally(() => {
        if (this.loading.get(key) === started) this.loading.delete(key);
      });
      this.loading.set(key, started);
      loading = started;
    }
    return loading;
  }

  private async loadOnce(id: string, version?: number): Promise<CompiledSchema> {
    const { changes } = this;
    const stored = await this.schemas.find(id, version).catch((error: unknown) => {
      const known = this.lastKnown(id, version);
      if (known && error instanceof Error && isUnavailable(error)) return known;
      throw error;
    });
    if (stored && 'plan' in stored) return stored;
    if (!stored) throw schemaNotFound(id, version);
    if (this.config.schemaCacheTtlSeconds > 0 && changes === this.changes) {
      this.current.set(id, { version: stored.currentVersion, isPublic: stored.isPublic });
    }
    return this.compile(stored);
  }

  private lastKnown(id: string, version?: number): CompiledSchema | undefined {
    const wanted = version ?? this.current.get(id, { allowStale: true })?.version;
    return wanted === undefined ? undefined : this.compiled.get(keyOf(id, wanted));
  }

  private compile({ id, version, document }: StoredSchema): CompiledSchema {
    const key = keyOf(id, version);
    let schema = this.compiled.get(key);
    if (!schema) {
      const plan = compileSchema(JSON.parse(document), { limits: schemaLimits(this.config) });
      schema = { id, version, plan };
      this.compiled.set(key, schema);
    }
    return schema;
  }
}

function keyOf(id: string, version: number): string {
  return `${version}:${id}`;
}
