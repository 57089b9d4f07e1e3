/** A function for every operation that the API descriptions have. */
import {
  type Call,
  type Connection,
  type ConnectionOptions,
  GatehouseError,
  connect,
} from '../connection/index.js';
import { type CallOptions, type Entry, type EntryOptions, type Table } from './operation.js';
import { OPERATIONS, type Operations } from './operations.gen.js';
import { type IdentitiesGetResponse } from './types.gen.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a person returned with from a form, and what is needed to trust it. */
export interface FinishedForm {
  /** The parameter `flow` of the address that the person returned to. */
  readonly flow: string | null | undefined;
  /** The id that `forms.start` returned, from the session of the person: an id in an address can be copied. */
  readonly started: string | null | undefined;
}

export interface Gatehouse extends Operations {
  readonly forms: Operations['forms'] & {
    /**
     * The identity of a person who returns from a form.
     *
     * @returns undefined if the form is not completed, is not the one that was started, or is gone
     */
    finish(form: FinishedForm, options?: CallOptions): Promise<IdentitiesGetResponse | undefined>;
    identity: Operations['identities']['get'];
  };
}

/**
 * A client for the admin surface. Each operation takes one object, with the parameters of the path and of the
 * query and the members of the body, and returns the body of the response.
 *
 * @example
 * const gatehouse = createGatehouse();
 * const { secret } = await gatehouse.keys.issue({ name: 'CI', actor_id: 'alice', scopes: ['orders:read'] });
 * for await (const key of gatehouse.keys.list.all({ filter: 'actor_id="alice"' })) console.log(key.key_id);
 * @throws TypeError without an address or a key
 */
export function createGatehouse(options?: ConnectionOptions): Gatehouse {
  const connection = connect(options);
  const operations = functionsOf(OPERATIONS, connection) as unknown as Operations;
  const { forms, identities } = operations;
  const finish: Gatehouse['forms']['finish'] = async ({ flow, started }, call) => {
    if (!flow || flow !== started) return undefined;
    try {
      const { identity_id: id, state } = await forms.flow({ id: flow }, call);
      return state === 'completed' && id !== null ? await identities.get({ id }, call) : undefined;
    } catch (error) {
      if (error instanceof GatehouseError && error.status === 404) return undefined;
      throw error;
    }
  };
  return { ...operations, forms: { ...forms, finish, identity: identities.get } };
}

function functionsOf(table: Table, connection: Connection): Fields {
  return Object.fromEntries(
    Object.entries(table).map(([name, member]) => [
      name,
      isEntry(member) ? functionOf(member, connection) : functionsOf(member, connection),
    ]),
  );
}

function isEntry(member: Table | Entry): member is Entry {
  return Array.isArray(member);
}

function functionOf(entry: Entry, connection: Connection): unknown {
  const call = async (input: Fields = {}, options: CallOptions = {}): Promise<unknown> =>
    resultOf(entry, await connection.json(callOf(entry, input, options)));
  const { page, items } = entry[2] ?? {};
  if (page === undefined) return call;
  async function* all(input: Fields = {}, options: CallOptions = {}): AsyncGenerator {
    for (let next: Fields | undefined = input; next !== undefined;) {
      const response = await connection.send(callOf(entry, next, options));
      const result = resultOf(entry, await connection.read(response)) as Fields;
      const list = (items ? result[items] : result) as readonly Fields[];
      yield* list;
      next = nextPage(page, { input: next, list, result, response });
    }
  }
  return Object.assign(call, { all });
}

interface Page {
  readonly input: Fields;
  readonly list: readonly Fields[];
  readonly result: Fields;
  readonly response: Response;
}

/** The input for the next page, undefined after the last. */
function nextPage(
  page: string | undefined,
  { input, list, result, response }: Page,
): Fields | undefined {
  if (page === 'token') {
    const token = result['next_page_token'];
    return token ? { ...input, page_token: token } : undefined;
  }
  if (list.length === 0) return undefined;
  if (page === 'after') return { ...input, after: list.at(-1)?.['id'] };
  if (!/rel="?next"?/.test(response.headers.get('link') ?? '')) return undefined;
  return { ...input, pageOffset: Number(input['pageOffset'] ?? 0) + list.length };
}

function callOf([method, path, options = {}]: Entry, input: Fields, call: CallOptions): Call {
  const rest = new Map(Object.entries(input));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    if (value === undefined || value === '') throw new TypeError(`${name} is missing`);
    const text = textOf(value);
    // URL parsers take these for steps in the path, so that another operation would be called.
    if (text === '.' || text === '..') throw new TypeError(`${name} must not be "${text}"`);
    return encodeURIComponent(text);
  });
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const query = new URLSearchParams();
  for (const name of hasBody ? (options.query ?? []) : [...rest.keys()]) {
    for (const value of [rest.get(name)].flat()) {
      if (value !== undefined) query.append(name, textOf(value));
    }
    rest.delete(name);
  }
  const address = query.size > 0 ? `${filled}?${query.toString()}` : filled;
  return { method, path: address, ...call, ...(hasBody ? bodyOf(options, rest, call) : {}) };
}

/** A text as it is; numbers and flags as JSON has them. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function bodyOf({ type }: EntryOptions, rest: Map<string, unknown>, call: CallOptions) {
  if (type === 'application/x-www-form-urlencoded') {
    return { body: new URLSearchParams([...rest] as [string, string][]) };
  }
  const body = type === 'any' ? rest.get('body') : Object.fromEntries(rest);
  // Their content types are those of fetch.
  if (body instanceof FormData || body instanceof URLSearchParams) return { body };
  const contentType = type === undefined || type === 'any' ? 'application/json' : type;
  return { body: JSON.stringify(body), headers: { 'content-type': contentType, ...call.headers } };
}

function resultOf([, path]: Entry, body: unknown): unknown {
  return path.startsWith('/api/v1/dsync') ? (body as Fields | undefined)?.['data'] : body;
}
