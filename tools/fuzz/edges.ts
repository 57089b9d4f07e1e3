/** Values just inside and just outside of what the description of an operation allows. */
import { type Changes, NO_CHANGES } from './changes.js';
import { type Draft, type Operation, type Schema } from './operation.js';

export interface Edge {
  /** Such as `body.name: longer than 255`. */
  name: string;
  isAllowed: boolean;
  changesOf(draft: Draft): Changes;
}

/** A value, or undefined to leave the member out. */
type Sample = readonly [what: string, value: unknown, isAllowed: boolean];
type Place = readonly (string | number)[];

/** Edges that stay open, by the operation and the edge, with the reason. */
const EXCEPTIONS = [
  { edge: / body prefix: as long as/, reason: 'Only the prefixes of the settings may be chosen.' },
  { edge: / body (raw_key|from_time): null/, reason: 'It or another member is required.' },
  {
    edge: /^key-service PATCH .* body rate_limit_policy\.\w+: left out/,
    reason: 'An empty policy removes the limit.',
  },
  { edge: /:revoke .* body description: as long as/, reason: 'Only one reason has a description.' },
  { edge: /:reportGithubLeaks /, reason: 'GitHub may change all members but the token.' },
  { edge: / body issuer: as long as/, reason: 'An issuer is an https address.' },
  { edge: / body actor_prefix: as long as/, reason: 'A prefix ends with a separator.' },
  { edge: / body workspace_\w+: null/, reason: 'Only directories of a workspace have them.' },
];

/** The edges of an operation. Values inside are tried one at a time, so only in members of the body itself. */
export function edgesOf(operation: Operation): Edge[] {
  const named = `${operation.service} ${operation.name}`;
  return everyEdge(operation).filter(
    ({ name }) => !EXCEPTIONS.some(({ edge }) => edge.test(`${named} ${name}`)),
  );
}

function everyEdge(operation: Operation): Edge[] {
  const { query, body, schemas, needsBody } = operation;
  const reader = new Reader(schemas, operation.service === 'key-service');
  const inQuery = Object.entries(query).flatMap(([name, schema]) =>
    reader.samplesOfText(schema).map(([what, value, isAllowed]) => ({
      name: `query ${name}: ${what}`,
      isAllowed,
      changesOf: () => ({ ...NO_CHANGES, query: { [name]: value } }),
    })),
  );
  if (body === undefined || !hasRules(operation)) return inQuery;
  const members = reader.membersOf(body).flatMap(({ place, samples }) =>
    samples.map(([what, value, isAllowed]) => ({
      name: `body ${place.join('.')}: ${what}`,
      isAllowed,
      changesOf: (draft: Draft) => ({
        ...NO_CHANGES,
        body: { json: withValue(draft.body, place, value) },
      }),
    })),
  );
  const empty = { ...NO_CHANGES, body: { bytes: new Uint8Array() } };
  const missing = { name: 'no body', isAllowed: false, changesOf: () => empty };
  return [...inQuery, ...members, ...(needsBody ? [missing] : [])];
}

/** SCIM resources and forms have rules of their own, which their tests try. */
function hasRules({ name }: Operation): boolean {
  return (
    name.endsWith('(application/json)') && !/ \/(flows|v1\/schemas\/\{id\}\/decode)/.test(name)
  );
}

/** A copy with another value at a place; objects on the way are made. */
function withValue(target: unknown, [name, ...rest]: Place, value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof name === 'number') {
    const [first, ...others] = Array.isArray(target) ? (target as unknown[]) : [];
    return [withValue(first, rest, value), ...others];
  }
  const members = typeof target === 'object' && target !== null ? target : {};
  const inner = (members as Record<string, unknown>)[name];
  return { ...members, [name]: withValue(inner, rest, value) };
}

const DEPTH_MAX = 4;
const NULL = 'null';

class Reader {
  constructor(
    private readonly schemas: Record<string, Schema>,
    /** As in the JSON of Protocol Buffers, null leaves a member out. */
    private readonly isProtobuf: boolean,
  ) {}

  /** Samples for a query, whose values are texts. */
  samplesOfText(schema: Schema): Sample[] {
    const resolved = this.resolved(schema);
    const { type, items } = resolved;
    if (type === undefined) return [];
    if (type === 'array') return this.samplesOfText(items ?? {});
    const wrong: Sample[] = type === 'string' ? [] : [['not of the type', 'x', false]];
    return [...wrong, ...this.bounds(resolved)];
  }

  /** Samples for each member of a body, at any depth. */
  membersOf(
    schema: Schema,
    place: Place = [],
    isRequired = false,
  ): { place: Place; samples: Sample[] }[] {
    const resolved = this.resolved(schema);
    const { properties = {}, required = [], items, additionalProperties: others } = resolved;
    const all = place.length === 0 ? [] : this.samplesOf(resolved, isRequired);
    const isInner = place.length > 1;
    // Inside of another object, a value may lack its neighbors.
    const samples = all.filter(
      ([what, , isAllowed]) => !isInner || !(isAllowed || (this.isProtobuf && what === NULL)),
    );
    const own = [{ place, samples }];
    if (place.length > DEPTH_MAX) return own;
    const unknown: Sample[] = others === false ? [['which nothing describes', 1, false]] : [];
    const inner = Object.entries(properties).flatMap(([name, member]) =>
      this.membersOf(member, [...place, name], required.includes(name)),
    );
    const absent = required.map((name) => ({
      place: [...place, name],
      samples: [['left out', undefined, false] as const],
    }));
    return [
      ...own,
      ...inner,
      ...absent,
      ...(items ? this.membersOf(items, [...place, 0]) : []),
      { place: [...place, 'no_such_member'], samples: unknown },
    ];
  }

  private samplesOf(schema: Schema, isRequired: boolean): Sample[] {
    const { enum: values, format, maxItems, minItems } = schema;
    const types = [schema.type ?? []].flat();
    if (types.length === 0) return [];
    const wrong = types.includes('array') ? 'x' : types.includes('object') ? 'x' : [];
    const isNamed = values !== undefined || format === 'uuid' || format === 'date-time';
    return [
      ['not of the type', wrong, false],
      [NULL, null, types.includes('null') || (this.isProtobuf && !isRequired)],
      ...(isNamed ? [['empty', '', false] as const] : []),
      ...(minItems === undefined ? [] : [['no items', [], minItems === 0] as const]),
      ...(maxItems === undefined
        ? []
        : [[`more than ${maxItems} items`, Array(maxItems + 1).fill('x'), false] as const]),
      ...this.bounds(schema),
    ];
  }

  private bounds({ enum: values, format, pattern, ...schema }: Schema): Sample[] {
    const { minimum, maximum, minLength, maxLength } = schema;
    const samples: Sample[] = [];
    if (values !== undefined) samples.push(['none of the values', 'no-such-value', false]);
    if (format === 'uuid' || format === 'date-time') samples.push([`no ${format}`, 'x', false]);
    if (minimum !== undefined) samples.push([`less than ${minimum}`, minimum - 1, false]);
    if (maximum !== undefined) samples.push([`more than ${maximum}`, maximum + 1, false]);
    if (minLength) samples.push([`shorter than ${minLength}`, 'x'.repeat(minLength - 1), false]);
    if (maxLength) samples.push([`longer than ${maxLength}`, 'x'.repeat(maxLength + 1), false]);
    if (maxLength && pattern === undefined && format === undefined) {
      samples.push([`as long as ${maxLength}`, 'x'.repeat(maxLength), true]);
    }
    if (minimum !== undefined) samples.push([`as small as ${minimum}`, minimum, true]);
    if (maximum !== undefined) samples.push([`as large as ${maximum}`, maximum, true]);
    return samples;
  }

  private resolved(schema: Schema): Schema {
    const [first, second] = schema.anyOf ?? [];
    if (first && second?.type === 'null') {
      const named = this.resolved(first);
      return { ...named, type: [named.type ?? [], 'null'].flat() };
    }
    const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1];
    return name === undefined ? schema : this.resolved(this.schemas[name] ?? {});
  }
}
