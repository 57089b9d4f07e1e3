import { bareObject } from '../model/bare-object.js';
import { pointerSegment, RESERVED_NAMES } from '../model/field-names.js';
import { type FieldError, type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { fieldError } from '../messages/localize.js';
import { writtenNumber } from '../read/json.reader.js';
import { losesDigits } from '../read/scalar-text.js';
import { type Location } from '../schema/location.js';
import { TYPE } from '../schema/schema-node.js';

/**
 * Takes JSON by the rules of a form for values, but keeps what no form may write: read-only members
 * and those that the schema does not declare.
 */
export class JsonTaker {
  readonly faults: FieldError[] = [];

  constructor(private readonly label: (pointer: string) => string) {}

  object(object: JsonObject, { wide }: Location, pointer: string): JsonObject {
    const taken = bareObject();
    for (const name of Object.keys(object)) {
      if (RESERVED_NAMES.has(name)) {
        this.fault(pointer, 'json.reserved', { member: name });
        continue;
      }
      const child = wide.member(name) ?? wide.anything;
      taken[name] = this.member(object, name, child, `${pointer}/${pointerSegment(name)}`);
    }
    return taken;
  }

  private member(
    container: JsonObject | JsonValue[],
    key: string | number,
    location: Location,
    pointer: string,
  ): JsonValue {
    const value = (container as JsonObject)[key] as JsonValue;
    if (typeof value === 'string') return location.isTrimmed ? value.trim() : value;
    if (typeof value === 'number') {
      const text = writtenNumber(container, key) ?? String(value);
      const isInteger = (location.types & TYPE.number) === TYPE.integer;
      const isLost = !Number.isFinite(value) || losesDigits(text, isInteger, location.isExact);
      if (isLost) this.fault(pointer, 'number.precision');
      return value;
    }
    if (value === null || typeof value === 'boolean') return value;
    if (!Array.isArray(value)) return this.object(value, location, pointer);
    const { wide } = location;
    return value.map((_, index) =>
      this.member(value, index, wide.item(index), `${pointer}/${index}`),
    );
  }

  private fault(pointer: string, code: string, params: Record<string, JsonValue> = {}): void {
    this.faults.push(fieldError(pointer, code, params, this.label(pointer)));
  }
}
