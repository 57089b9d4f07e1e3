/**
 * Listings of Microsoft Graph. The delta functions list everything when they begin without a token:
 * https://learn.microsoft.com/graph/api/user-delta, https://learn.microsoft.com/graph/api/group-delta
 * and https://learn.microsoft.com/graph/api/group-list-members. Page tokens are the links of Graph.
 */
import { isObject, type JsonObject } from '@gatehouse/scim';
import { entriesOf, textAt } from '../http/answer-fields.js';
import {
  type Changes,
  type Page,
  type WorkspaceGroup,
  type WorkspaceMember,
  type WorkspaceSession,
  type WorkspaceUser,
} from '../provider.js';
import { WorkspaceError } from '../workspace.errors.js';
import { EntraChanges } from './entra.changes.js';
import { checkedLink, type EntraContext } from './entra.context.js';
import {
  entraGroup,
  entraMember,
  entraUser,
  GROUP_SELECT,
  USER_SELECT,
} from './entra-resources.js';

/** The largest page of members; delta functions take it as a wish. */
const PAGE_MAX = 999;
const HEADERS = { prefer: `odata.maxpagesize=${PAGE_MAX}` };

export class EntraSession implements WorkspaceSession {
  constructor(private readonly context: EntraContext) {}

  listUsers(page: string | null, signal?: AbortSignal): Promise<Page<WorkspaceUser>> {
    return this.list(page ?? `users/delta?$select=${USER_SELECT}`, page, entraUser, signal);
  }

  listGroups(page: string | null, signal?: AbortSignal): Promise<Page<WorkspaceGroup>> {
    return this.list(page ?? `groups/delta?$select=${GROUP_SELECT}`, page, entraGroup, signal);
  }

  async listMembers(
    groupId: string,
    page: string | null,
    signal?: AbortSignal,
  ): Promise<Page<WorkspaceMember>> {
    const path = `groups/${encodeURIComponent(groupId)}/members?$select=id&$top=${PAGE_MAX}`;
    const listed = await this.list(page ?? path, page, entraMember, signal);
    return { ...listed, items: listed.items.filter((member) => member !== null) };
  }

  changesSince(token: string | null, signal?: AbortSignal): Promise<Changes> {
    return new EntraChanges(this.context, signal).since(token);
  }

  /** @param link a path of the API, or a link that Graph gave */
  private async list<Item>(
    link: string,
    page: string | null,
    itemOf: (entry: JsonObject) => Item,
    signal: AbortSignal | undefined,
  ): Promise<Page<Item>> {
    const { requests, access, directoryId, apiUrl } = this.context;
    const url = page === null ? `${apiUrl}/${link}` : checkedLink(apiUrl, link);
    const read = { directoryId, url, headers: HEADERS, signal };
    const { body, calls } = await requests.read(access, read);
    const next = textAt(body, '@odata.nextLink') ?? null;
    if (next !== null && next === page) {
      const message = 'Microsoft Graph sent a page that is followed by itself.';
      throw new WorkspaceError('invalid_response', message);
    }
    if (next !== null) checkedLink(apiUrl, next);
    // A page without its list is broken; Graph sends empty ones.
    if (body.value === undefined) {
      throw new WorkspaceError('invalid_response', 'Microsoft Graph sent a page without entries.');
    }
    const entries = entriesOf(body, 'value');
    const items = entries.filter((entry) => !isObject(entry['@removed'])).map(itemOf);
    return { items, next, calls };
  }
}
