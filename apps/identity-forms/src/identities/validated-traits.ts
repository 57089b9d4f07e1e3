import { type FieldError, type IdentifierValue, type JsonObject } from '@gatehouse/form-decoder';
import { FormsErrors } from '../errors.js';
import { refuseLimits } from '../http/form-errors.js';
import { InvalidValuesError } from '../http/problem.js';
import { type CompiledSchema } from '../schemas/schema-catalog.js';

/** Traits that were refused on writing; `errors` name the fields. */
export class TraitsRefusedError extends InvalidValuesError {
  constructor(override readonly errors: readonly FieldError[]) {
    super(FormsErrors.TRAITS_REFUSED, errors);
  }
}

/** An identifier of the traits belongs to another identity. */
export class IdentifierTakenError extends TraitsRefusedError {
  constructor(
    error: FieldError,
    /** Undefined if it was released in the meantime. */
    readonly holderId: string | undefined,
  ) {
    super([error]);
  }
}

/** Traits that fit a version of a schema. Writing an identity requires them. */
export class ValidatedTraits {
  private constructor(
    readonly schemaId: string,
    readonly schemaVersion: number,
    readonly traits: Record<string, unknown>,
    readonly identifiers: readonly IdentifierValue[],
  ) {}

  /**
   * @param value the whole value, with the traits in `traits`
   * @param errors the result of `plan.errors` for this value, if it is known already
   * @throws TraitsRefusedError; DomainError for more than a form may hold
   */
  static of(
    schema: CompiledSchema,
    value: JsonObject,
    errors?: readonly FieldError[],
  ): ValidatedTraits {
    refuseExcess(schema, value);
    const { id, version, plan } = schema;
    const found = errors ?? plan.validate(value);
    if (found.length > 0) throw new TraitsRefusedError(found);
    return new ValidatedTraits(id, version, value.traits as JsonObject, plan.identifiersOf(value));
  }
}

/**
 * Applies the limits of a form to a value from any source.
 * @throws DomainError naming the limit
 */
export function refuseExcess({ plan }: CompiledSchema, value: JsonObject): void {
  const excess = plan.excess(value);
  if (excess) refuseLimits([excess]);
}
