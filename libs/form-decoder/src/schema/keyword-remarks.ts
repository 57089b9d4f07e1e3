import { asBrowsersSend, pointerSegment } from '../model/field-names.js';
import {
  type JsonObject,
  type NearestName,
  type SchemaFault,
} from '../model/form-decoder.types.js';
import { isStorable } from '../model/text-check.js';
import { KNOWN_KEYWORDS } from './schema-keywords.js';

/** Keywords beside `$ref` that have no effect anywhere. */
const NOTES: ReadonlySet<string> = new Set(['$ref', '$comment', '$defs', 'definitions']);
/** Keywords that decide what may be written, shown or stored; so do those that begin with `x-`. */
const DECISIVE: ReadonlySet<string> = new Set(['readOnly', 'writeOnly', 'format', 'ory.sh/kratos']);
const REMARKS_MAX = 20;
/** Unknown keywords that are compared with the known ones; it takes a moment for each. */
const COMPARED_MAX = 200;

/** Finds keywords without effect, which their authors believe to have one. */
export class KeywordRemarks {
  /** Reasons to refuse a schema that is registered; it could be used. */
  readonly mistakes: SchemaFault[] = [];
  readonly warnings: SchemaFault[] = [];
  private readonly references = new Set<object>();
  private readonly compared = new Map<string, string | undefined>();

  constructor(private readonly nearest: NearestName = () => undefined) {}

  /** Draft-07 section 8.3: every other keyword of a schema with `$ref` is ignored. */
  onReference(source: JsonObject, pointer: string): void {
    if (this.references.has(source)) return;
    this.references.add(source);
    for (const keyword of Object.keys(source)) {
      if (NOTES.has(keyword)) continue;
      const message = `"${keyword}" is ignored beside "$ref": put the reference into "allOf": [{"$ref": …}]`;
      const list = DECISIVE.has(keyword) || isOwn(keyword) ? this.mistakes : this.warnings;
      add(list, pointer, keyword, 'schema.ref', message);
    }
  }

  /** A name that cannot be stored, and names that are one name when a browser sends them. */
  onProperties(properties: JsonObject, pointer: string): void {
    const sent = new Map<string, string>();
    for (const name of Object.keys(properties)) {
      const other = sent.get(asBrowsersSend(name));
      sent.set(asBrowsersSend(name), name);
      if (!isStorable(name)) {
        const message = 'a name must have neither U+0000 nor half a surrogate pair';
        add(this.mistakes, pointer, name, 'schema.name', message);
      } else if (other !== undefined) {
        const message = 'differs from another name in line breaks only, which forms cannot tell';
        add(this.mistakes, pointer, name, 'schema.name', message);
      }
    }
  }

  onKeyword(keyword: string, pointer: string): void {
    if (KNOWN_KEYWORDS.has(keyword)) return;
    const nearest = this.nearestOf(keyword);
    if (nearest !== undefined) {
      const message = `"${keyword}" is not a keyword; did you mean "${nearest}"?`;
      add(this.mistakes, pointer, keyword, 'schema.keyword', message);
    } else if (!isOwn(keyword)) {
      const message = `"${keyword}" is not a keyword of draft-07 and has no effect`;
      add(this.warnings, pointer, keyword, 'schema.keyword', message);
    }
  }

  private nearestOf(keyword: string): string | undefined {
    if (!this.compared.has(keyword) && this.compared.size < COMPARED_MAX) {
      this.compared.set(keyword, this.nearest(keyword, KNOWN_KEYWORDS));
    }
    return this.compared.get(keyword);
  }
}

/** Extensions may have any name that begins with `x-`. */
function isOwn(keyword: string): boolean {
  return keyword.startsWith('x-');
}

function add(
  list: SchemaFault[],
  pointer: string,
  keyword: string,
  code: string,
  message: string,
): void {
  if (list.length === REMARKS_MAX) return;
  list.push({ pointer: `${pointer}/${pointerSegment(keyword)}`, code, message });
}
