/**
 * Caches compiled schemas by id and version. A version never changes, so its plan stays cached until
 * it is evicted. Another replica may change the current version, so that is read again after
 * five seconds. Concurrent requests for an uncached schema share one load. While the database is
 * unavailable or does not answer, cached schemas are still served.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { compileSchema, type FormPlan } from '@gatehouse/form-decoder';
import { isUnavailable } from '@gatehouse/kit/errors';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { schemaNotFound } from './schema.errors.js';
import { SchemasRepository, type StoredSchema } from './schemas.repository.js';

export interface CompiledSchema {
  id: string;
  version: number;
  plan: FormPlan;
}

/** Compiled schemas in the cache of a process. */
const SCHEMAS_MAX = 200;
/** How long a replica may serve a version that another replica has replaced. */
const CURRENT_VERSION_TTL_MS = 5_000;
/** A cached schema is served after this time, if the database has not answered. */
const PATIENCE_MS = 1_000;

interface CurrentVersion {
  version: number;
  isPublic: boolean;
}

@Injectable()
export class SchemaCatalog {
  private readonly compiled: LRUCache<string, CompiledSchema>;
  private readonly current: LRUCache<string, CurrentVersion>;
  private readonly loading = new Map<string, Promise<CompiledSchema>>();
  /** Counts changes of current versions, so that a load that started before one is not cached. */
  private changes = 0;

  constructor(private readonly schemas: SchemasRepository) {
    this.compiled = new LRUCache({ max: SCHEMAS_MAX });
    this.current = new LRUCache({
      max: SCHEMAS_MAX * 4,
      ttl: CURRENT_VERSION_TTL_MS,
      noDeleteOnStaleGet: true,
    });
  }

  /**
   * @param version the current one when undefined
   * @returns the cached schema at once, otherwise a promise
   * @throws DomainError `not_found`
   */
  get(id: string, version?: number): CompiledSchema | Promise<CompiledSchema> {
    return this.known(id, version) ?? this.load(id, version);
  }

  /** The cached schema; the current version when `version` is undefined. */
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
   * Forgets which version is current, after it has changed. Loads in progress are not cached.
   */
  forget(id: string): void {
    this.changes += 1;
    this.current.delete(id);
    this.loading.delete(keyOf(id, 0));
  }

  /** Concurrent requests for the same schema share one load. */
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
    const read = this.read(id, version);
    const known = this.lastKnown(id, version);
    if (!known) return read;
    const patience = new AbortController();
    const late = sleep(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    const schema = await Promise.race([read.catch(knownIfUnavailable), late]);
    patience.abort();
    if (schema) return schema;
    // Until the next time, or until the read that still waits has succeeded.
    const stale = this.current.get(id, { allowStale: true });
    if (stale) this.current.set(id, stale);
    return known;
  }

  private async read(id: string, version?: number): Promise<CompiledSchema> {
    const { changes } = this;
    const stored = await this.schemas.find(id, version);
    if (!stored) throw schemaNotFound(id, version);
    if (changes === this.changes) {
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
      const plan = compileSchema(JSON.parse(document), { isRegistered: true });
      schema = { id, version, plan };
      this.compiled.set(key, schema);
    }
    return schema;
  }
}

function keyOf(id: string, version: number): string {
  return `${version}:${id}`;
}

/** @throws what does not mean that the database is unavailable */
function knownIfUnavailable(error: unknown): undefined {
  if (!(error instanceof Error && isUnavailable(error))) throw error;
}
