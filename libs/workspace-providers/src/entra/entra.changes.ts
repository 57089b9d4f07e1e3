/**
 * Whether a tenant has changed, by delta queries of Microsoft Graph:
 * https://learn.microsoft.com/graph/delta-query-overview,
 * https://learn.microsoft.com/graph/delta-query-users and
 * https://learn.microsoft.com/graph/delta-query-groups. Only what `$select` names is tracked, so the
 * properties are those of a listing. What has changed is not read: the listing says it.
 */
import { entriesOf, textAt } from '../http/answer-fields.js';
import { type Changes } from '../provider.js';
import { WorkspaceError, type WorkspaceErrorKind } from '../workspace.errors.js';
import { checkedLink, type EntraContext } from './entra.context.js';
import { GROUP_SELECT, USER_SELECT } from './entra-resources.js';

/** With `latest`, Graph sends a link for later and no entries. */
const LATEST = [
  `users/delta?$select=${USER_SELECT}&$deltatoken=latest`,
  `groups/delta?$select=${GROUP_SELECT},members&$deltatoken=latest`,
];

/** Graph may send pages without entries; after so many, a listing is cheaper than more questions. */
const PAGES_MAX = 3;
/** No link contains it. */
const SEPARATOR = ' ';
/** The longest token of both links. */
const TOKEN_CHARACTERS_MAX = 32_768;

/** Refusals of a link, such as one that is too old. A listing does not need it. */
const REFUSALS = new Set<WorkspaceErrorKind>(['page_expired', 'not_found', 'invalid_response']);

export class EntraChanges {
  private calls = 0;

  constructor(
    private readonly context: EntraContext,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** @param token the delta links of users and groups */
  async since(token: string | null): Promise<Changes> {
    const unchanged = token === null ? undefined : await this.followAll(token.split(SEPARATOR));
    const links = unchanged ?? (await this.followAll(this.latest()));
    const text = links?.join(SEPARATOR) ?? '';
    return {
      hasChanged: unchanged === undefined,
      token: text === '' || text.length > TOKEN_CHARACTERS_MAX ? null : text,
      calls: this.calls,
    };
  }

  private latest(): string[] {
    return LATEST.map((path) => `${this.context.apiUrl}/${path}`);
  }

  /** The links for the next time. Undefined if one has entries, or says nothing. */
  private async followAll(links: readonly string[]): Promise<string[] | undefined> {
    const next: string[] = [];
    for (const link of links) {
      const delta = await this.follow(link).catch((error: unknown) => {
        if (!(error instanceof WorkspaceError && REFUSALS.has(error.kind))) throw error;
      });
      if (delta === undefined) return undefined;
      next.push(delta);
    }
    return next.length === LATEST.length ? next : undefined;
  }

  private async follow(link: string): Promise<string | undefined> {
    const { requests, access, apiUrl, directoryId } = this.context;
    let url: string | undefined = link;
    for (let pages = 0; url !== undefined && pages < PAGES_MAX; pages += 1) {
      const read = { directoryId, url: checkedLink(apiUrl, url), signal: this.signal };
      const { body, calls } = await requests.read(access, read).catch((error: unknown) => {
        this.calls += 1;
        throw error;
      });
      this.calls += calls;
      if (body.value === undefined || entriesOf(body, 'value').length > 0) return undefined;
      const delta = textAt(body, '@odata.deltaLink');
      if (delta !== undefined) return checkedLink(apiUrl, delta);
      url = textAt(body, '@odata.nextLink');
    }
    return undefined;
  }
}
