/** The shape of the generated operations. */

/** What an operation takes and returns, as it is generated. */
interface OperationData {
  body?: unknown;
  path?: unknown;
  query?: unknown;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

type Members<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;
/** The path, the query and the body as one object. Where a body has more than one format, it is `body`. */
type Input<D extends OperationData, Whole> = Members<D['path']> &
  Members<D['query']> &
  (Whole extends 'body' ? { body: FormData | URLSearchParams | D['body'] } : Members<D['body']>);
type Arguments<I> =
  Partial<I> extends I ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions];

/** Directory sync wraps every response as `{data, error}`; the client returns the data. */
type Result<R> = R extends { data: infer Data; error: unknown } ? Data : R;
type Item<R, Items> = Items extends keyof R ? R[Items] : R;

/** @throws GatehouseError if the response is no success, or missing */
export type Operation<R, D extends OperationData, Whole = ''> = (
  ...args: Arguments<Input<D, Whole>>
) => Promise<Result<R>>;

/** One page; `all` iterates the items of all pages from there on. */
export interface List<R, Items extends string, D extends OperationData> extends Operation<R, D> {
  all(
    ...args: Arguments<Input<D, ''>>
  ): AsyncIterable<Item<Result<R>, Items> extends readonly (infer Each)[] ? Each : never>;
}

export interface EntryOptions {
  /** The names of parameters of the query, where others are members of the body. */
  readonly query?: readonly string[];
  /** The content type, if it is not JSON; `any` where the body may have several. */
  readonly type?: string;
  /** What the next page is asked for by: a token, a number of items, or the id of the last item. */
  readonly page?: string;
  readonly items?: string;
}
/** Method, path with `{names}`, and the rest. */
export type Entry = readonly [method: string, path: string, options?: EntryOptions];
export interface Table {
  readonly [name: string]: Table | Entry;
}
