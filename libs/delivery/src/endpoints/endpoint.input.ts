/** Reads what administrators send about an endpoint. Violations stay in the reader. */
import { decodeWebhookSecret } from '@gatehouse/crypto';
import { type InputReader } from '@gatehouse/kit/input';
import { type OutboundPolicy, outboundUrlFault } from '../outbound/outbound.js';
import { type EndpointSettings, type EndpointState, type PoisonPolicy } from './endpoint.types.js';

export const ENDPOINT_STATES = [
  'healthy',
  'failing',
  'paused',
  'stopped',
] as const satisfies readonly EndpointState[];
export const POISON_POLICIES = ['park', 'block'] as const satisfies readonly PoisonPolicy[];

/** The settings of an endpoint that its administrator chooses. */
export interface EndpointInput extends Pick<
  EndpointSettings,
  'url' | 'types' | 'logsAttempts' | 'onPoison'
> {
  /** Sent with every webhook; names are in lower case. Null: none. */
  headers: Readonly<Record<string, string>> | null;
}

export const ENDPOINT_FIELDS = ['url', 'types', 'headers', 'logs_attempts', 'on_poison'] as const;
export type EndpointField = (typeof ENDPOINT_FIELDS)[number];

export interface EndpointInputOptions {
  policy: OutboundPolicy;
  /** Every event type of the system. */
  types: readonly string[];
  /** Reads `on_poison`, which each API spells in its own way. */
  readOnPoison: (body: InputReader) => PoisonPolicy;
}

const URL_CHARACTERS_MAX = 2_048;
const SECRET = { pattern: /^[\x20-\x7e]{16,512}$/, charactersMax: 512 };
const HEADERS_MAX = 16;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,1022}[\x21-\x7e])?$/;

/** Headers that belong to the connection, to the message or to its signature. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'user-agent',
  'boxyhq-signature',
  'ory-polis-signature',
]);
const RESERVED_PREFIX = /^(?:webhook|proxy)-/;

type Read = (body: InputReader, options: EndpointInputOptions) => Partial<EndpointInput>;

const READ: Readonly<Record<EndpointField, Read>> = {
  url: (body, { policy }) => ({ url: readUrl(body, policy) }),
  types: (body, { types }) => ({ types: readTypes(body, types) }),
  headers: (body) => ({ headers: readHeaders(body) }),
  logs_attempts: (body) => ({ logsAttempts: body.boolean('logs_attempts') ?? false }),
  on_poison: (body, { readOnPoison }) => ({ onPoison: readOnPoison(body) }),
};

/** Reads the given fields. A field that is not set gets its default. */
export function readEndpointFields(
  body: InputReader,
  fields: Iterable<EndpointField>,
  options: EndpointInputOptions,
): Partial<EndpointInput> {
  body.allow(ENDPOINT_FIELDS);
  const read = [...fields].map((field) => READ[field](body, options));
  return Object.assign({}, ...read) as Partial<EndpointInput>;
}

/** Reads a new endpoint, which needs a URL. */
export function readEndpoint(body: InputReader, options: EndpointInputOptions): EndpointInput {
  return readEndpointFields(body, ENDPOINT_FIELDS, options) as EndpointInput;
}

/** A secret of 16 to 512 printable characters; undefined when unset. Short ones can be guessed. */
export function readWebhookSecret(body: InputReader, name = 'secret'): string | undefined {
  const secret = body.text(name, { max: SECRET.charactersMax });
  if (secret === '') return undefined;
  if (!SECRET.pattern.test(secret)) {
    const description = 'must have 16 to 512 printable ASCII characters';
    return body.addViolation(name, description, undefined);
  }
  try {
    decodeWebhookSecret(secret);
    return secret;
  } catch {
    return body.addViolation(name, 'must be Base64 after the prefix whsec_', undefined);
  }
}

function readUrl(body: InputReader, policy: OutboundPolicy): string {
  const url = body.requiredText('url', { max: URL_CHARACTERS_MAX });
  const fault = url === '' ? undefined : outboundUrlFault(url, policy);
  return fault === undefined ? url : body.addViolation('url', fault, '');
}

/** Some of the known types; null for an empty list, which means all. */
export function readTypes(body: InputReader, known: readonly string[]): string[] | null {
  const types = body.list('types', { max: known.length });
  types.forEach((type, index) => {
    if (typeof type === 'string' && known.includes(type)) return;
    body.addViolation(`types[${index}]`, `must be one of ${known.join(', ')}`, undefined);
  });
  return types.length === 0 ? null : [...new Set(types as string[])];
}

/** Values are secrets: no violation repeats one. */
function readHeaders(body: InputReader): Record<string, string> | null {
  const headers = Object.entries(body.object('headers') ?? {});
  if (headers.length === 0) return null;
  if (headers.length > HEADERS_MAX) {
    return body.addViolation('headers', `must have at most ${HEADERS_MAX} entries`, null);
  }
  const read = new Map<string, string>();
  for (const [name, value] of headers) {
    const lowerCase = name.toLowerCase();
    const fault = read.has(lowerCase) ? 'is given twice' : headerFault(lowerCase, value);
    if (fault !== undefined) body.addViolation(`headers.${name.slice(0, 64)}`, fault, undefined);
    read.set(lowerCase, value as string);
  }
  return Object.fromEntries(read);
}

function headerFault(name: string, value: unknown): string | undefined {
  if (!HEADER_NAME.test(name)) return 'is no name of a header';
  if (RESERVED_HEADERS.has(name) || RESERVED_PREFIX.test(name)) return 'is set by the service';
  return typeof value === 'string' && HEADER_VALUE.test(value)
    ? undefined
    : 'must have 1 to 1024 visible ASCII characters, with blanks only between them';
}
