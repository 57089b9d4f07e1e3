import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Answer } from './answer.js';

/** Headers that callers act on; descriptions have to name them. */
const HEADERS = [
  'ETag',
  'Location',
  'Content-Location',
  'Link',
  'Retry-After',
  'WWW-Authenticate',
  'X-Refusal-Reason',
];

interface Response {
  headers?: Record<string, object>;
  content?: Record<string, { schema?: object }>;
  /** The place of a response that operations share, such as `#/components/responses/Error404`. */
  $ref?: string;
}

interface Operation {
  responses: Record<string, Response>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components?: { responses?: Record<string, Response> };
}

const ID = 'openapi.json';

/**
 * An OpenAPI document that answers are compared with. Objects may have the members that are
 * described and no others, unless their schema sets `additionalProperties`.
 */
export class ApiDescription {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly templates: readonly { pattern: RegExp; path: string }[];

  /** @param defaultFrom the lowest status that a `default` response describes */
  constructor(
    private readonly document: OpenApiDocument,
    private readonly defaultFrom = 500,
  ) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(closed(document) as object, ID);
    this.templates = Object.keys(document.paths)
      .sort(bySpecificity)
      .map((path) => ({ pattern: patternOf(path), path }));
  }

  static async of(url: string, defaultFrom?: number): Promise<ApiDescription> {
    const response = await fetch(`${url}/openapi.json`);
    return new ApiDescription((await response.json()) as OpenApiDocument, defaultFrom);
  }

  /**
   * Checks status, headers, media type and body of an answer. Skips paths and methods that are not
   * described, and paths with broken percent-encoding.
   *
   * @param url path and query of the request
   * @returns the operation, such as `GET /v1/schemas/{id}`; undefined when it is not described
   * @throws when the answer is not described
   */
  check(method: string, url: string, answer: Answer): string | undefined {
    const path = this.pathOf(url.split('?', 1)[0] ?? '', method.toLowerCase());
    if (path === undefined) return undefined;
    const { responses } = this.document.paths[path]?.[method.toLowerCase()] as Operation;
    const where = `${method} ${path}: ${answer.status}`;
    const status = responses[answer.status] ? String(answer.status) : 'default';
    if (!responses[status] || (status === 'default' && answer.status < this.defaultFrom)) {
      throw new Error(`${where} is not described`);
    }
    const { $ref } = responses[status];
    const name = $ref?.split('/').at(-1) ?? '';
    const shared = this.document.components?.responses?.[name];
    const { content, headers = {} } = shared ?? responses[status];
    const unnamed = HEADERS.filter((each) => answer.headers.has(each) && !headers[each]);
    if (unnamed.length > 0) throw new Error(`${where} has undescribed headers: ${unnamed.join()}`);
    if (content === undefined && answer.text !== '') throw new Error(`${where} has a body`);
    if (content !== undefined) {
      const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
      if (!content[type]) throw new Error(`${where} is not described as ${type}`);
      const place = shared
        ? ['components', 'responses', name]
        : ['paths', path, method.toLowerCase(), 'responses', status];
      const validate = this.validatorOf(place, type);
      if (!validate(answer.body)) {
        throw new Error(`${where} is not as described: ${this.ajv.errorsText(validate.errors)}`);
      }
    }
    return `${method} ${path}`;
  }

  private pathOf(pathname: string, method: string): string | undefined {
    if (!isWellEncoded(pathname)) return undefined;
    return this.templates.find(
      ({ pattern, path }) => pattern.test(pathname) && this.document.paths[path]?.[method],
    )?.path;
  }

  private validatorOf(location: readonly string[], type: string): ValidateFunction {
    const parts = [...location, 'content', type, 'schema'];
    const pointer = parts.map((part) => encodeURIComponent(escaped(part))).join('/');
    let validate = this.validators.get(pointer);
    if (validate === undefined) {
      validate = this.ajv.compile({ $ref: `${ID}#/${pointer}` });
      this.validators.set(pointer, validate);
    }
    return validate;
  }
}

/** Literal paths come before templates, and longer templates before shorter ones. */
function bySpecificity(a: string, b: string): number {
  return a.split('{').length - b.split('{').length || b.length - a.length;
}

/** Broken percent-encoding matches no route, so no operation describes the answer. */
function isWellEncoded(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

function patternOf(path: string): RegExp {
  const literal = path.replaceAll('.', '\\.');
  return new RegExp(`^${literal.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** Escapes a name for a JSON pointer (RFC 6901 section 3). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The same schemas, with `additionalProperties: false` in every schema that has properties. */
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
