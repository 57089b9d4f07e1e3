/** Parts that all operations of the key service share. */
import {
  enumOf,
  type NativeOperation,
  type Operation,
  optionalParameters,
  text,
  pageSize,
} from '@gatehouse/nest-kit/openapi';

export interface KeyOperation extends Operation {
  tag:
    | 'Keys'
    | 'Leaks'
    | 'Leavers'
    | 'Verification'
    | 'Usage'
    | 'Portal'
    | 'Tokens'
    | 'Events'
    | 'Webhooks'
    | 'Audit';
  errors: readonly number[];
  /** The schema of its errors, where they are not those of AIP-193. */
  errorSchema?: 'OAuthError';
}

export type NativeKeyOperation = NativeOperation<KeyOperation>;

export const LIST_QUERY = optionalParameters('query', {
  page_size: pageSize(1000),
  page_token: text('The next_page_token of the page before.'),
  filter: text('field="value", joined by AND.'),
});

export const PAGE_QUERY = LIST_QUERY.filter(({ name }) => name !== 'filter');

export const KEY_LIST_QUERY = [
  ...PAGE_QUERY,
  ...optionalParameters('query', {
    filter: text(
      'Comparisons joined by AND: actor_id, name, status and visibility with =, tags with :, ' +
        'key_preview (issued keys only) with = and a part of a secret such as "…k3Zq", ' +
        'create_time and expire_time with =, < and >. With expire_time, the list is in its order. ' +
        'Between quotes, \\" and \\\\ stand for " and \\.',
    ),
  }),
];

export const USAGE_QUERY = [
  ...optionalParameters('query', {
    from: text('The first time, RFC 3339; by default an hour, a day or 30 days before `to`.'),
    to: text('The time after the last one; now by default.'),
    interval: enumOf(['minute', 'hour', 'day']),
    group_by: text('Any of key, actor, tag, outcome and limit, or prefix; separated by commas.'),
    page_size: pageSize(5000),
    page_token: text('The next_page_token of the page before.'),
    filter: text(
      'Comparisons with = joined by AND: key_id, actor_id, tag, outcome, limit and prefix.',
    ),
  }),
  ...optionalParameters('header', { Accept: text('text/csv for CSV instead of JSON.') }),
];

export const UPDATE_QUERY = optionalParameters('query', {
  update_mask: text('Fields to change, separated by commas, or *.'),
});

export const LOCATION = { Location: 'Where the key is.' };

/** `Authorization` and `X-Admin-Authorization`; either is enough. */
export const ADMIN_SECURITY = { adminKey: [] };
export const ADMIN_HEADER_SECURITY = { adminHeader: [] };
