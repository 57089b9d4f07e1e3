// Holds answers against /openapi.json: every answer that a test gets must be one that is described.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

interface Operation {
  responses: Record<string, { content?: { 'application/json'?: { schema: object } } }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

const ID = 'openapi.json';

export class ApiDescription {
  private readonly ajv: Ajv2020;
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly templates: readonly { pattern: RegExp; path: string }[];

  constructor(private readonly document: Document) {
    this.ajv = new Ajv2020({ strict: false, allErrors: true });
    (ajvFormats as unknown as (ajv: Ajv2020) => void)(this.ajv);
    this.ajv.addSchema(closed(document) as object, ID);
    this.templates = Object.keys(document.paths).map((path) => ({
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/:]+')}$`),
      path,
    }));
  }

  static async of(url: string): Promise<ApiDescription> {
    return new ApiDescription((await (await fetch(`${url}/openapi.json`)).json()) as Document);
  }

  /** Throws when an answer to a described operation has a status or a body that is not described. */
  check(method: string, url: string, status: number, body: unknown): void {
    const pathname = url.split('?', 1)[0] ?? '';
    const path = this.templates.find(({ pattern }) => pattern.test(pathname))?.path;
    const operation = path && this.document.paths[path]?.[method.toLowerCase()];
    if (!path || !operation) return;
    const where = `${method} ${path}: ${status}`;
    const key = operation.responses[status] ? String(status) : 'default';
    if (key === 'default' && status < 500) throw new Error(`${where} is not described`);
    const validate = this.validatorOf(
      [path, method.toLowerCase(), 'responses', key],
      operation,
      key,
    );
    if (validate === undefined) {
      if (body !== '') throw new Error(`${where} should have no body`);
    } else if (!validate(body)) {
      throw new Error(`${where} is not as described: ${this.ajv.errorsText(validate.errors)}`);
    }
  }

  private validatorOf(
    location: readonly string[],
    { responses }: Operation,
    key: string,
  ): ValidateFunction | undefined {
    if (responses[key]?.content === undefined) return undefined;
    const parts = ['paths', ...location, 'content', 'application/json', 'schema'];
    const pointer = parts.map((part) => encodeURIComponent(escaped(part))).join('/');
    let validate = this.validators.get(pointer);
    if (validate === undefined) {
      validate = this.ajv.compile({ $ref: `${ID}#/${pointer}` });
      this.validators.set(pointer, validate);
    }
    return validate;
  }
}

/** As RFC 6901 writes a name in a JSON pointer. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The same schemas, but objects have the members that are described and no others. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, closed(member)]),
  );
  if (copy.type === 'object' && copy.properties && copy.additionalProperties === undefined) {
    copy.additionalProperties = false;
  }
  return copy;
}
