/** Reads the filter of a list of keys. */
import { parsePartialSecret, type PartialSecret } from '@gatehouse/crypto';
import { type KeyFilter, type TimeRange } from '../store/keys/key.record.js';
import { type KeyKind } from '../store/keys/key.types.js';
import { KEY_STATUSES, KEY_VISIBILITIES } from '@gatehouse/schemas';
import { invalidField, millisecondsOf } from '@gatehouse/kit/input';
import { type ListFilter, parseListFilter } from '../api/list-filter.js';

const TERMS = [
  ...(['actor_id=', 'status=', 'name=', 'visibility=', 'tags:', 'key_preview='] as const),
  ...(['create_time=', 'create_time<', 'create_time>'] as const),
  ...(['expire_time=', 'expire_time<', 'expire_time>'] as const),
];
type Terms = ListFilter<(typeof TERMS)[number]>;

/** @throws DomainError that names `filter` */
export function readKeyFilter(text: unknown, kind: KeyKind): KeyFilter {
  const terms = parseListFilter(text, TERMS);
  return {
    actorId: terms['actor_id='],
    status: oneOf('status', terms['status='], KEY_STATUSES),
    name: terms['name='],
    visibility: oneOf('visibility', terms['visibility='], KEY_VISIBILITIES),
    tag: terms['tags:'],
    secret: partialSecretOf(terms['key_preview='], kind),
    createTime: rangeOf('create_time', terms),
    expireTime: rangeOf('expire_time', terms),
  };
}

/** A value of an enum other than its first one, which means unspecified. */
function oneOf<Name extends string>(
  field: string,
  value: string | undefined,
  names: readonly Name[],
): Name | undefined {
  const specified = names.slice(1);
  const found = specified.find((name) => name === value);
  if (value === undefined || found !== undefined) return found;
  throw invalidField('filter', `must set ${field} to one of ${specified.join(', ')}`);
}

/** The error does not repeat the text, which may be a whole secret. */
function partialSecretOf(text: string | undefined, kind: KeyKind): PartialSecret | undefined {
  if (text === undefined) return undefined;
  if (kind === 'imported') {
    throw invalidField('filter', 'must not use key_preview, which imported keys do not have');
  }
  const secret = parsePartialSecret(text);
  if (secret !== null) return secret;
  const examples = '"…k3Zq", "gate_sk_v1_…k3Zq" or "gate_sk_v1_3mJr7A…"';
  const fault = `must set key_preview to a part of a secret such as ${examples}, with 4 to 24 of its first`;
  throw invalidField('filter', `${fault} characters at most, never to a whole secret`);
}

function rangeOf(field: 'create_time' | 'expire_time', terms: Terms): TimeRange | undefined {
  const range = {
    at: timeOf(field, terms[`${field}=`]),
    before: timeOf(field, terms[`${field}<`]),
    after: timeOf(field, terms[`${field}>`]),
  };
  return range.at || range.before || range.after ? range : undefined;
}

function timeOf(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const atMs = millisecondsOf(text);
  if (!Number.isNaN(atMs)) return new Date(atMs);
  throw invalidField('filter', `must set ${field} to a time such as 2027-01-31T12:00:00Z`);
}
