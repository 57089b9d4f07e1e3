import {
  type Decoded,
  type FieldError,
  type FormPlan,
  type JsonObject,
  type JsonValue,
  overlay,
} from '@gatehouse/form-decoder';
import { pickLanguage } from '@gatehouse/pages';
import { type DecodedForm } from '@gatehouse/schemas';
import { Injectable } from '@nestjs/common';
import { DomainError } from '@gatehouse/kit/errors';
import { FormsErrors } from '../errors.js';
import { IdentityFormsConfig } from '../config.js';
import { refusalMessage, refuseLimits } from '../http/form-errors.js';
import { InvalidValuesError } from '../http/problem.js';
import { IdentitiesService } from '../identities/identities.service.js';
import { type CompiledSchema } from '../schemas/schema-catalog.js';
import { DEFAULT_DECODE_OPTIONS, type DecodeRequestOptions } from './decode-options.js';
import { type FormBody } from './form-body.js';

export interface DecodeResult extends DecodedForm {
  traits: JsonValue;
}

/** A form whose values do not fit: its errors, and the traits as far as they were understood. */
class FormRefusedError extends InvalidValuesError {
  constructor(errors: readonly FieldError[], result: DecodeResult) {
    const message = refusalMessage(errors, result.ignored);
    super(FormsErrors.FORM_REFUSED, errors, { ...result }, message);
  }
}

@Injectable()
export class DecodingService {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly config: IdentityFormsConfig,
  ) {}

  /**
   * @param languages of the messages, in the format of Accept-Language
   * @returns the result at once, or a promise when stored traits are merged
   * @throws FormRefusedError when a value does not fit and validation is asked for;
   *   DomainError `invalid_argument` for too many rows or levels, `payload_too_large` for too many
   *   or too long values, `not_found` for `merge`
   */
  decode(
    schema: CompiledSchema,
    body: FormBody,
    options: DecodeRequestOptions,
    languages: string | undefined,
  ): DecodeResult | Promise<DecodeResult> {
    const { plan } = schema;
    if (options.merge === undefined) {
      return finish(plan, this.read(plan, body, options), options, languages);
    }
    return this.stored(schema, options.merge).then((beneath) => {
      const decoded = this.read(plan, body, { ...options, beneath });
      const value = overlay(beneath, decoded.value);
      return finish(plan, { ...decoded, value }, options, languages);
    });
  }

  /** As `decode` with default options, but undefined when a value does not fit. */
  decodeValid({ plan }: CompiledSchema, body: FormBody): DecodeResult | undefined {
    const decoded = this.read(plan, body, DEFAULT_DECODE_OPTIONS);
    return plan.errors(decoded).length === 0 ? resultOf(decoded) : undefined;
  }

  /** Decodes without validating. @throws DomainError for exceeded limits, as `decode` */
  read(plan: FormPlan, body: FormBody, options: DecodeRequestOptions): Decoded {
    const { useDefaults, emptyNullable, beneath } = options;
    const decodeOptions = { useDefaults, emptyNullable, beneath, timeZone: this.config.timeZone };
    const decoded =
      'json' in body
        ? plan.decodeJson(body.json, decodeOptions)
        : plan.decode(body.entries, decodeOptions);
    if (decoded.conflicts.length > 0) refuseLimits(decoded.conflicts);
    return decoded;
  }

  private async stored(schema: CompiledSchema, identityId: string): Promise<JsonObject> {
    const identity = await this.identities.get(identityId);
    if (identity.schemaId !== schema.id) throw new DomainError(FormsErrors.IDENTITY_NOT_FOUND);
    return { traits: identity.traits } as JsonObject;
  }
}

function finish(
  plan: FormPlan,
  decoded: Decoded,
  options: DecodeRequestOptions,
  languages: string | undefined,
): DecodeResult {
  const result = resultOf(decoded);
  // Names that contradict each other are an error even without validation.
  const errors = options.validate ? plan.errors(decoded) : decoded.conflicts;
  if (errors.length > 0) {
    throw new FormRefusedError(plan.localize(errors, pickLanguage(languages)), result);
  }
  return result;
}

function resultOf({ value, ignored }: Decoded): DecodeResult {
  return { traits: value.traits as JsonValue, ignored };
}
