import { createHash } from 'node:crypto';
import {
  compileSchema,
  type FormPlan,
  type JsonValue,
  SchemaError,
  type SchemaFault,
} from '@gatehouse/form-decoder';
import { type CallContext } from '@gatehouse/kit/clients';
import { nearestName } from '@gatehouse/kit/input';
import { type Page, type PageRequest, PageTokens } from '@gatehouse/kit/paging';
import { Injectable } from '@nestjs/common';
import { schemaThemeFaults } from './schema-theme.js';
import { SchemaCatalog } from './schema-catalog.js';
import { isSchemaId } from '../schema-id.js';
import { schemaExists, schemaNotFound, schemaRefused } from './schema.errors.js';
import { SchemasRepository, type StoredSchema } from './schemas.repository.js';

/** A schema as it was stored, and what in it has no effect. */
export interface WrittenSchema {
  stored: StoredSchema;
  warnings: readonly SchemaFault[];
}

/** Registers schemas and their versions. A version never changes. */
@Injectable()
export class SchemasService {
  constructor(
    private readonly schemas: SchemasRepository,
    private readonly catalog: SchemaCatalog,
    private readonly pageTokens: PageTokens,
  ) {}

  /** @throws DomainError `unprocessable` with the faults of the schema, `already_exists` */
  async register(
    request: { id: string; schema: JsonValue; isPublic: boolean },
    call: CallContext,
  ): Promise<WrittenSchema> {
    const { warnings, ...content } = this.check(request.schema);
    const { id, isPublic } = request;
    if (!(await this.schemas.insert({ id, isPublic, ...content }, call))) throw schemaExists(id);
    return { stored: await this.get(id, 1), warnings };
  }

  /**
   * Makes `schema` the current version. Content that is already stored keeps its version number.
   * @throws DomainError `unprocessable`, `not_found`
   */
  async put(
    request: { id: string; schema: JsonValue; isPublic: boolean | undefined },
    call: CallContext,
  ): Promise<WrittenSchema> {
    const { id, isPublic } = request;
    if (!isSchemaId(id)) throw schemaNotFound(id);
    const { warnings, ...content } = this.check(request.schema);
    const put = await this.schemas.putVersion({ id, isPublic, ...content }, call);
    if (!put) throw schemaNotFound(id);
    this.catalog.forget(id);
    return { stored: await this.get(id, put.version), warnings };
  }

  async get(id: string, version?: number): Promise<StoredSchema> {
    const stored = await this.schemas.find(id, version);
    if (!stored) throw schemaNotFound(id, version);
    return stored;
  }

  list(request: PageRequest): Promise<Page<StoredSchema>> {
    return this.pageTokens.page('schemas', request, {
      fetch: (after, limit) => this.schemas.page(after?.[0] ?? '', limit),
      positionOf: ({ id }) => [id],
    });
  }

  /** The plan of a schema that could be stored. @throws DomainError `unprocessable` with its faults */
  compile(schema: JsonValue): FormPlan {
    try {
      const faults = schemaThemeFaults(schema);
      if (faults.length > 0) throw new SchemaError(faults);
      return compileSchema(schema, { nearest: nearestName });
    } catch (error) {
      if (error instanceof SchemaError) throw schemaRefused(error.faults);
      throw error;
    }
  }

  private check(schema: JsonValue): {
    document: string;
    digest: Buffer;
    warnings: readonly SchemaFault[];
  } {
    const { warnings } = this.compile(schema);
    const document = JSON.stringify(schema);
    return { document, digest: createHash('sha256').update(document).digest(), warnings };
  }
}
