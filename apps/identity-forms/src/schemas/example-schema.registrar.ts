import { type JsonValue } from '@gatehouse/form-decoder';
import { DomainError } from '@gatehouse/kit/errors';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SETTINGS_CALL } from '../audit/admin-audit.js';
import { IdentityFormsConfig } from '../config.js';
import { EXAMPLE_SCHEMA_ID, exampleSchema } from './example-schema.js';
import { SchemasService } from './schemas.service.js';

/** Registers the schema `example` if EXAMPLE_SCHEMA is true and it does not exist yet. */
@Injectable()
export class ExampleSchemaRegistrar implements OnApplicationBootstrap {
  constructor(
    private readonly schemas: SchemasService,
    private readonly config: IdentityFormsConfig,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.exampleSchema) return;
    try {
      const schema = exampleSchema as JsonValue;
      await this.schemas.register({ id: EXAMPLE_SCHEMA_ID, schema, isPublic: true }, SETTINGS_CALL);
    } catch (error) {
      if (!(error instanceof DomainError && error.kind === 'already_exists')) throw error;
    }
  }
}
