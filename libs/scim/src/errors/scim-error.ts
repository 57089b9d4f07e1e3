/** Error messages of the protocol: RFC 7644 section 3.12, RFC 9865 section 2.1. */

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** Detail error keywords of RFC 7644 table 9 and RFC 9865 section 2.1. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive'
  | 'invalidCursor'
  | 'expiredCursor'
  | 'invalidCount';

/** The JSON body of an error response; `status` is a string (RFC 7644 section 3.12). */
export interface ScimErrorBody {
  schemas: [typeof ERROR_SCHEMA];
  status: string;
  scimType?: ScimType;
  detail: string;
}

/**
 * A request that is refused. `detail` is written for the caller, names the attribute, path or
 * parameter and contains no secret.
 */
export class ScimError extends Error {
  override readonly name = 'ScimError';

  constructor(
    readonly status: number,
    readonly scimType: ScimType | undefined,
    readonly detail: string,
  ) {
    super(detail);
  }

  body(): ScimErrorBody {
    return scimErrorBody(this.status, this.detail, this.scimType);
  }
}

/** The error body for a status that is not from a ScimError: 401, 404, 503. */
export function scimErrorBody(status: number, detail: string, scimType?: ScimType): ScimErrorBody {
  return {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail,
  };
}

export function invalidFilter(detail: string): ScimError {
  return new ScimError(400, 'invalidFilter', detail);
}

export function invalidPath(detail: string): ScimError {
  return new ScimError(400, 'invalidPath', detail);
}

export function invalidSyntax(detail: string): ScimError {
  return new ScimError(400, 'invalidSyntax', detail);
}

export function invalidValue(detail: string): ScimError {
  return new ScimError(400, 'invalidValue', detail);
}

export function mutabilityError(detail: string): ScimError {
  return new ScimError(400, 'mutability', detail);
}

export function noTarget(detail: string): ScimError {
  return new ScimError(400, 'noTarget', detail);
}

/** 409 of RFC 7644 section 3.3: another resource has the same unique value. */
export function uniquenessError(detail: string): ScimError {
  return new ScimError(409, 'uniqueness', detail);
}
