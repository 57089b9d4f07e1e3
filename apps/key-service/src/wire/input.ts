import {
  type DomainError,
  type InputOptions,
  InputReader,
  invalidInput,
  type ViolationMessage,
} from '@gatehouse/service-kit';

/** The message of an error names its first violation; the details name all of them. */
export const firstViolation: ViolationMessage = ([first]) =>
  first === undefined ? 'The request is not valid.' : `${first.field} ${first.description}`;

/** ProtoJSON: names in snake_case or lowerCamelCase, null is unset, unknown fields are ignored. */
const PROTO_JSON: InputOptions = { naming: 'camelCase-too', message: firstViolation };

/**
 * @param path of the object within the request, such as `requests[2]`
 * @throws DomainError when the body is no JSON object; no body at all is an empty object
 */
export function bodyReader(json: unknown, path?: string): InputReader {
  return InputReader.of(json, PROTO_JSON, path);
}

export function queryReader(query: object): InputReader {
  return InputReader.ofQuery(query, PROTO_JSON);
}

/** A 400 for one field. */
export function invalidField(field: string, description: string): DomainError {
  return invalidInput([{ field, description }], firstViolation);
}
