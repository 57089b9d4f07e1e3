/** The parts of an OpenAPI 3.1 document that the reference reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly [limit: string]: unknown;
}

export interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema & { readonly example?: string | number };
}

export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly [string];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response>>;
  /** Alternatives: any one of them is enough. */
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-client-name'?: string;
  readonly 'x-codeSamples'?: readonly CodeSample[];
}

/** An operation and its address. */
export interface Endpoint {
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export interface Tag {
  readonly name: string;
  readonly description: string;
  readonly 'x-displayName': string;
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly summary: string; readonly version: string };
  readonly tags: readonly Tag[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** The name of a component, from a reference to it. */
export function nameOf($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}
