/**
 * Compiled schemas by id and version. A version never changes, so its plan is kept as long as
 * there is room; which version is current may change on another replica, so that is asked again
 * after SCHEMA_CACHE_TTL. Many requests for one schema that is not here yet compile it once.
 */
import { compileSchema, type FormPlan } from '@gatehouse/form-decoder';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { IdentityFormsConfig } from '../config.js';
import { schemaLimits } from './schema-limits.js';
import { schemaNotFound } from './schema.errors.js';
import { SchemasRepository, type StoredSchema } from './schemas.repository.js';

export interface CompiledSchema {
  id: string;
  version: number;
  isPublic: boolean;
  plan: FormPlan;
}

interface CurrentVersion {
  version: number;
  isPublic: boolean;
}

@Injectable()
export class SchemaCatalogue {
  private readonly plans: LRUCache<string, FormPlan>;
  private readonly current: LRUCache<string, CurrentVersion>;
  private readonly loading = new Map<string, Promise<CompiledSchema>>();

  constructor(
    private readonly schemas: SchemasRepository,
    private readonly config: IdentityFormsConfig,
  ) {
    this.plans = new LRUCache({ max: config.schemaCacheMax });
    this.current = new LRUCache({
      max: config.schemaCacheMax * 4,
      ttl: Math.max(1, config.schemaCacheTtlSeconds * 1000),
    });
  }

  /**
   * @param version the current one when undefined
   * @returns at once what is cached, else a promise
   * @throws DomainError `not_found`
   */
  get(id: string, version?: number): CompiledSchema | Promise<CompiledSchema> {
    return this.peek(id, version) ?? this.load(id, version);
  }

  /** Drops what is known of the current version; called when it has changed. */
  forget(id: string): void {
    this.current.delete(id);
  }

  private peek(id: string, version?: number): CompiledSchema | undefined {
    const current = this.current.get(id);
    if (!current) return undefined;
    const wanted = version ?? current.version;
    const plan = this.plans.get(keyOf(id, wanted));
    return plan && { id, version: wanted, isPublic: current.isPublic, plan };
  }

  private load(id: string, version?: number): Promise<CompiledSchema> {
    const key = keyOf(id, version ?? 0);
    let loading = this.loading.get(key);
    if (!loading) {
      loading = this.loadOnce(id, version).finally(() => this.loading.delete(key));
      this.loading.set(key, loading);
    }
    return loading;
  }

  private async loadOnce(id: string, version?: number): Promise<CompiledSchema> {
    const stored = await this.schemas.find(id, version);
    if (!stored) throw schemaNotFound(id, version);
    if (this.config.schemaCacheTtlSeconds > 0) {
      this.current.set(id, { version: stored.currentVersion, isPublic: stored.isPublic });
    }
    const { isPublic } = stored;
    return { id, version: stored.version, isPublic, plan: this.planOf(stored) };
  }

  private planOf({ id, version, document }: StoredSchema): FormPlan {
    const key = keyOf(id, version);
    let plan = this.plans.get(key);
    if (!plan) {
      plan = compileSchema(JSON.parse(document), { limits: schemaLimits(this.config) });
      this.plans.set(key, plan);
    }
    return plan;
  }
}

function keyOf(id: string, version: number): string {
  return `${version}:${id}`;
}
