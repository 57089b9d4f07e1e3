/** `forms.decode` over Redis: other services decode a form without HTTP. */
import { randomUUID } from 'node:crypto';
import {
  checkEntries,
  type FormEntry,
  type FormLimits,
  type JsonValue,
  parseUrlencoded,
} from '@gatehouse/form-decoder';
import { type DecodeFormReply, MessagePatterns } from '@gatehouse/schemas';
import { toDomainError } from '@gatehouse/kit/errors';
import { type InputReader } from '@gatehouse/kit/input';
import { ErrorFilter } from '@gatehouse/nest-kit/errors';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { bodyTooLarge } from '../http/body-limit.js';
import { reading } from '../http/form-errors.js';
import { bodyReader, requiredId } from '../http/json-body.js';
import { problemOf } from '../http/problem.js';
import { SchemaCatalog } from '../schemas/schema-catalog.js';
import { OPTION_NAMES, readDecodeOptions } from './decode-options.js';
import { DecodingService } from './decoding.service.js';
import { FORM_BODY_BYTES_MAX, type FormBody } from './form-body.js';

const MESSAGE_OPTION_NAMES = [...OPTION_NAMES].filter((name) => name !== 'merge');
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

type SentForm = { form: string } | { fields: FormEntry[] } | { json: JsonValue };

@Controller()
export class DecodingController {
  constructor(
    private readonly catalog: SchemaCatalog,
    private readonly decoding: DecodingService,
    private readonly errors: ErrorFilter,
  ) {}

  /**
   * Reads a DecodeFormRequest. Returns the decoded form, or the members of a problem document. Unlike
   * the route, it does not merge into an identity: a message does not prove that its sender may read
   * identities.
   */
  @MessagePattern(MessagePatterns.decodeForm)
  async decode(@Payload() payload: unknown): Promise<DecodeFormReply> {
    try {
      const input = bodyReader(payload);
      const id = requiredId(input, 'schema_id');
      const languages = input.string('language');
      const sent = readForm(input);
      if (input.isPresent('merge')) {
        input.addViolation('merge', 'is an option of the HTTP route only', undefined);
      }
      input.throwIfInvalid();
      const options = readDecodeOptions(optionTexts(input));
      const schema = await this.catalog.get(id, options.version);
      checkSize(sent);
      const body = bodyOf(sent, schema.plan.limits);
      return await this.decoding.decode(schema, body, options, languages);
    } catch (error) {
      const fault = toDomainError(error);
      const requestId = requestIdOf(payload);
      this.errors.log(fault, requestId);
      return problemOf(fault, requestId);
    }
  }
}

/** The request id of the caller, or a new one. */
function requestIdOf(payload: unknown): string {
  const { request_id: given } = Object(payload) as { request_id?: unknown };
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** The one of `form`, `fields` and `json` that was sent, in this order. */
function readForm(input: InputReader): SentForm {
  if (input.raw('form') !== undefined) return { form: input.string('form') ?? '' };
  const fields = input.raw('fields');
  if (fields !== undefined) {
    if (areFields(fields)) return { fields };
    return input.addViolation('fields', 'must be a list of pairs of texts', { fields: [] });
  }
  if (input.isPresent('json')) return { json: (input.raw('json') ?? null) as JsonValue };
  return input.addViolation('form', 'one of form, fields and json is needed', { form: '' });
}

function areFields(fields: unknown): fields is FormEntry[] {
  return (
    Array.isArray(fields) &&
    fields.every(
      (entry) =>
        Array.isArray(entry) &&
        entry.length === 2 &&
        entry.every((part) => typeof part === 'string'),
    )
  );
}

/** A form in a message may be no larger than one over HTTP. */
function checkSize(sent: SentForm): void {
  const text =
    'form' in sent ? sent.form : JSON.stringify('fields' in sent ? sent.fields : sent.json);
  if (Buffer.byteLength(text) > FORM_BODY_BYTES_MAX) throw bodyTooLarge(FORM_BODY_BYTES_MAX);
}

function bodyOf(sent: SentForm, limits: FormLimits): FormBody {
  if ('json' in sent) return sent;
  if ('form' in sent) return { entries: reading(() => parseUrlencoded(sent.form, limits)) };
  reading(() => checkEntries(sent.fields, limits));
  return { entries: sent.fields };
}

/** Options may be sent with their own JSON type or as the text of a query. */
function optionTexts(input: InputReader): Record<string, unknown> {
  const texts: Record<string, unknown> = {};
  for (const name of MESSAGE_OPTION_NAMES) {
    const value = input.raw(name);
    const isScalar = typeof value === 'number' || typeof value === 'boolean';
    if (value !== undefined) texts[name] = isScalar ? String(value) : value;
  }
  return texts;
}
