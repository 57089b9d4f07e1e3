import { Injectable } from '@nestjs/common';
import { type InputOptions, InputReader } from '@gatehouse/kit/input';
import { KeyServiceConfig } from '../config.js';

/**
 * Reads requests as ProtoJSON: names in snake_case or lowerCamelCase, null is unset. A field or
 * parameter that does not exist is refused, because a misspelled limit or scope would otherwise be
 * no limit. UNKNOWN_FIELDS=ignore accepts them.
 */
@Injectable()
export class RequestInput {
  readonly options: InputOptions;

  constructor({ unknownFields }: KeyServiceConfig) {
    this.options = { naming: 'camelCase-too', unknown: unknownFields };
  }

  /**
   * @param path of the object within the request, such as `requests[2]`
   * @throws DomainError when the body is no JSON object; no body at all is an empty object
   */
  body(json: unknown, path?: string): InputReader {
    return InputReader.of(json, this.options, path);
  }

  query(query: object): InputReader {
    return InputReader.ofQuery(query, this.options);
  }

  /** @throws DomainError that names a query parameter which is not one of these */
  checkParameters(query: unknown, names: readonly string[] = []): void {
    if (Object.keys(query as object).length === 0) return;
    const reader = this.query(query as object);
    reader.allow(names);
    reader.throwIfInvalid();
  }
}
