/** `forms.decode` over Redis: other services decode a form without HTTP. */
import { randomUUID } from 'node:crypto';
import {
  checkEntries,
  type FormEntry,
  type JsonObject,
  type JsonValue,
  parseUrlencoded,
} from '@gatehouse/form-decoder';
import { MessagePatterns } from '@gatehouse/schemas';
import { invalidField, LOGGER, toDomainError } from '@gatehouse/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { type Logger } from 'pino';
import { IdentityFormsConfig } from '../config.js';
import { bodyTooLarge } from '../http/body-limit.js';
import { objectBody, textMember } from '../http/json-body.js';
import { reading } from '../http/form-errors.js';
import { logFault } from '../http/problem.filter.js';
import { problemOf } from '../http/problem.js';
import { SchemaCatalogue } from '../schemas/schema-catalogue.js';
import { readDecodeOptions } from './decode-options.js';
import { DecodingService } from './decoding.service.js';
import { type FormBody } from './form-body.js';

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

@Controller()
export class DecodingController {
  constructor(
    private readonly catalogue: SchemaCatalogue,
    private readonly decoding: DecodingService,
    private readonly config: IdentityFormsConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Takes `{schema_id, version?, validate?, useDefaults?, emptyNullable?, merge?, language?,
   * request_id?}` and one of `form` (urlencoded text), `fields` (a list of [name, value]) or `json`
   * (form convention). Answers `{traits, ignored}`, or the members of a problem document with its
   * `status`.
   */
  @MessagePattern(MessagePatterns.decodeForm)
  async decode(@Payload() payload: unknown): Promise<object> {
    try {
      const request = objectBody(payload);
      const id = textMember(request, 'schema_id');
      if (id === undefined) throw invalidField('schema_id', 'is missing');
      const options = readDecodeOptions(optionTexts(request));
      const schema = await this.catalogue.get(id, options.version);
      checkSize(request, this.config.formBodyBytesMax);
      const body = bodyOf(request, schema.plan.limits);
      const languages = textMember(request, 'language');
      return await this.decoding.decode(schema, body, options, languages);
    } catch (error) {
      const fault = toDomainError(error);
      const requestId = requestIdOf(payload);
      logFault(this.logger, fault, requestId);
      return problemOf(fault, requestId);
    }
  }
}

/** The caller's own id, as HTTP takes it from a header, or a new one. */
function requestIdOf(payload: unknown): string {
  const { request_id: given } = Object(payload) as { request_id?: unknown };
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** A form that came as a message may be no larger than one that came over HTTP. */
function checkSize({ form, fields, json }: JsonObject, bytesMax: number): void {
  const text = typeof form === 'string' ? form : JSON.stringify(fields ?? json ?? null);
  if (Buffer.byteLength(text) > bytesMax) throw bodyTooLarge(bytesMax);
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
