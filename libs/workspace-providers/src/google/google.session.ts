/**
 * Listings of the Admin SDK Directory API:
 * https://developers.google.com/admin-sdk/directory/reference/rest/v1/users/list,
 * https://developers.google.com/admin-sdk/directory/reference/rest/v1/groups/list and
 * https://developers.google.com/admin-sdk/directory/reference/rest/v1/members/list.
 */
import { type JsonObject } from '@gatehouse/scim';
import { type Access } from '../http/access.js';
import { entriesOf, requiredText, textAt } from '../http/answer-fields.js';
import { type ProviderRequests } from '../http/provider-requests.js';
import {
  type Changes,
  type Page,
  UNKNOWN_CHANGES,
  type WorkspaceGroup,
  type WorkspaceMember,
  type WorkspaceSession,
  type WorkspaceUser,
} from '../provider.js';
import { WorkspaceError } from '../workspace.errors.js';
import {
  googleGroup,
  googleMember,
  googleUser,
  GROUP_FIELDS,
  MEMBER_FIELDS,
  USER_FIELDS,
} from './google-resources.js';

/** The largest pages that Google gives. */
const USERS_MAX = '500';
const GROUPS_MAX = '200';
const MEMBERS_MAX = '200';

const CUSTOMER_ID = /^\w{1,64}$/;

export interface GoogleSessionContext {
  requests: ProviderRequests;
  access: Access;
  apiUrl: string;
  directoryId: string;
  domain: string | null;
}

export class GoogleSession implements WorkspaceSession {
  constructor(private readonly context: GoogleSessionContext) {}

  listUsers(page: string | null, signal?: AbortSignal): Promise<Page<WorkspaceUser>> {
    const query = {
      ...scopeOf(this.context.domain),
      maxResults: USERS_MAX,
      ...fields('users', USER_FIELDS),
    };
    return this.list('users', 'users', query, page, googleUser, signal);
  }

  listGroups(page: string | null, signal?: AbortSignal): Promise<Page<WorkspaceGroup>> {
    const query = {
      ...scopeOf(this.context.domain),
      maxResults: GROUPS_MAX,
      ...fields('groups', GROUP_FIELDS),
    };
    return this.list('groups', 'groups', query, page, googleGroup, signal);
  }

  async listMembers(
    groupId: string,
    page: string | null,
    signal?: AbortSignal,
  ): Promise<Page<WorkspaceMember>> {
    const path = `groups/${encodeURIComponent(groupId)}/members`;
    const query = { maxResults: MEMBERS_MAX, ...fields('members', MEMBER_FIELDS) };
    const listed = await this.list(path, 'members', query, page, googleMember, signal);
    return { ...listed, items: listed.items.filter((member) => member !== null) };
  }

  changesSince(): Promise<Changes> {
    return Promise.resolve(UNKNOWN_CHANGES);
  }

  /** The customer ID of the account whose users are listed; null without a user. */
  async customerId(): Promise<string | null> {
    const query = { ...scopeOf(this.context.domain), maxResults: '1', fields: 'users(customerId)' };
    const { items } = await this.list('users', 'users', query, null, customerIdOf, undefined);
    return items[0] ?? null;
  }

  private async list<Item>(
    path: string,
    name: string,
    query: Record<string, string>,
    page: string | null,
    itemOf: (entry: JsonObject) => Item,
    signal: AbortSignal | undefined,
  ): Promise<Page<Item>> {
    const { requests, access, apiUrl, directoryId } = this.context;
    const token: { pageToken?: string } = page === null ? {} : { pageToken: page };
    const parameters = new URLSearchParams({ ...query, ...token }).toString();
    const url = `${apiUrl}/admin/directory/v1/${path}?${parameters}`;
    const { body, calls } = await requests.read(access, { directoryId, url, signal });
    const next = textAt(body, 'nextPageToken') ?? null;
    if (next !== null && next === page) {
      const message = 'Google sent a page that is followed by itself.';
      throw new WorkspaceError('invalid_response', message);
    }
    return { items: entriesOf(body, name).map(itemOf), next, calls };
  }
}

/** The scope of a listing: a domain, or all domains of the account. */
export function scopeOf(domain: string | null): Record<string, string> {
  return domain === null ? { customer: 'my_customer' } : { domain };
}

function customerIdOf(entry: JsonObject): string {
  const id = requiredText(entry, 'customerId');
  if (CUSTOMER_ID.test(id)) return id;
  throw new WorkspaceError('invalid_response', 'Google sent a malformed customer ID.');
}

function fields(name: string, members: string): { fields: string } {
  return { fields: `nextPageToken,${name}(${members})` };
}
