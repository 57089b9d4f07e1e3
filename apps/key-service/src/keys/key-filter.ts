/** Reads the filter of a list of keys. */
import { type KeyFilter, type TimeRange } from '../store/keys/key.record.js';
import { KEY_STATUSES, KEY_VISIBILITIES } from '@gatehouse/schemas';
import { invalidField, millisecondsOf } from '@gatehouse/kit/input';
import { type ListFilter, parseListFilter } from '../api/list-filter.js';

const TERMS = [
  ...(['actor_id=', 'status=', 'name=', 'visibility=', 'tags:'] as const),
  ...(['create_time=', 'create_time<', 'create_time>'] as const),
  ...(['expire_time=', 'expire_time<', 'expire_time>'] as const),
];
type Terms = ListFilter<(typeof TERMS)[number]>;

/** @throws DomainError that names `filter` */
export function readKeyFilter(text: unknown): KeyFilter {
  const terms = parseListFilter(text, TERMS);
  return {
    actorId: terms['actor_id='],
    status: oneOf('status', terms['status='], KEY_STATUSES),
    name: terms['name='],
    visibility: oneOf('visibility', terms['visibility='], KEY_VISIBILITIES),
    tag: terms['tags:'],
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
