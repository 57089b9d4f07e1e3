/** `forms.decode` over Redis: other services decode a form without HTTP. */
import {
  checkEntries,
  type FormEntry,
  type JsonObject,
  type JsonValue,
  parseUrlencoded,
} from '@gatehouse/form-decoder';
import { MessagePatterns } from '@gatehouse/schemas';
import { invalidField, toDomainError } from '@gatehouse/service-kit';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { objectBody, textMember } from '../http/json-body.js';
import { reading } from '../http/form-errors.js';
import { problemOf } from '../http/problem.js';
import { SchemaCatalogue } from '../schemas/schema-catalogue.js';
import { readDecodeOptions } from './decode-options.js';
import { DecodingService } from './decoding.service.js';
import { type FormBody } from './form-body.js';

@Controller()
export class DecodingController {
  constructor(
    private readonly catalogue: SchemaCatalogue,
    private readonly decoding: DecodingService,
  ) {}

  /**
   * Takes `{schema_id, version?, validate?, useDefaults?, emptyNullable?, merge?, language?}` and one
   * of `form` (urlencoded text), `fields` (a list of [name, value]) or `json` (form convention).
   * Answers `{traits, ignored}`, or the members of a problem document with its `status`.
   */
  @MessagePattern(MessagePatterns.decodeForm)
  async decode(@Payload() payload: unknown): Promise<object> {
    try {
      const request = objectBody(payload);
      const id = textMember(request, 'schema_id');
      if (id === undefined) throw invalidField('schema_id', 'is missing');
      const options = readDecodeOptions(optionTexts(request));
      const schema = await this.catalogue.get(id, options.version);
      const body = bodyOf(request, schema.plan.limits);
      const languages = textMember(request, 'language');
      return await this.decoding.decode(schema, body, options, languages);
    } catch (error) {
      return problemOf(
        toDomainError(error),
        textMember(Object(payload) as JsonObject, 'request_id') ?? '',
      );
    }
  }
}

function bodyOf(request: JsonObject, limits: Parameters<typeof checkEntries>[1]): FormBody {
  const form = textMember(request, 'form');
  if (form !== undefined) return { entries: reading(() => parseUrlencoded(form, limits)) };
  if (request.fields !== undefined) {
    const entries = readFields(request.fields);
    reading(() => checkEntries(entries, limits));
    return { entries };
  }
  if (request.json !== undefined) return { json: request.json };
  throw invalidField('form', 'one of form, fields and json is needed');
}

function readFields(fields: JsonValue): FormEntry[] {
  const isEntry = (entry: JsonValue) =>
    Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === 'string');
  if (!Array.isArray(fields) || !fields.every(isEntry)) {
    throw invalidField('fields', 'must be a list of pairs of texts');
  }
  return fields as unknown as FormEntry[];
}

/** Options may come as JSON of their own type or as the texts of a query. */
function optionTexts(request: JsonObject): Record<string, unknown> {
  const texts: Record<string, unknown> = {};
  for (const name of ['version', 'validate', 'useDefaults', 'emptyNullable', 'merge']) {
    const value = request[name];
    if (value === undefined || value === null) continue;
    texts[name] = typeof value === 'object' ? value : String(value);
  }
  return texts;
}
