/** Key links: which actors of keys the people of a tenant and product are, and what stops their keys. */
import { adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { InputReader } from '@gatehouse/kit/input';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { LIBRARY_CALL } from '../../audit/audit-table.js';
import { type KeyLinkRepository } from '../../key-links/key-link.repository.js';
import { type KeyLinkRow, type KeyLinkSettings } from '../../key-links/key-link.types.js';
import { notFound } from '../../sync.errors.js';
import { violationMessage } from '../body.input.js';
import { fieldsOf, scopeText } from '../directories/directory.input.js';
import { type Page, pageOf, type PageOf } from '../page.input.js';
import { readKeyLink } from './key-link.input.js';

/** Without optional fields: an empty prefix, no domains, and the policy `off`. */
export type KeyLinkInput = Pick<KeyLinkSettings, 'tenant' | 'product' | 'attribute'> &
  Partial<KeyLinkSettings>;

export interface KeyLinkView extends KeyLinkSettings {
  /** Rises with each change. */
  revision: number;
  created_at: string;
  updated_at: string;
}

export interface KeyLinksContext {
  sql: Sql;
  audit: AuditEvents;
  links: KeyLinkRepository;
}

type Scope = Pick<KeyLinkSettings, 'tenant' | 'product'>;

/** The `keyLinks` operations of the controller object. */
export class KeyLinks {
  constructor(private readonly context: KeyLinksContext) {}

  /** Makes or replaces the link of a tenant and product, and sends all of its people to the key service. */
  async put(json: KeyLinkInput, call: CallContext = LIBRARY_CALL): Promise<KeyLinkView> {
    const link = readKeyLink(json);
    const { sql, links } = this.context;
    return sql.transaction(async (executor) => {
      const row = await links.put(executor, link);
      await this.audit('key_link.updated', link, { fields: fieldsOf(json) }, call, executor);
      return viewOf(row);
    });
  }

  /** By tenant and product, with the offset of the next page. */
  async getPage(options: Partial<Scope> & Page = {}): Promise<PageOf<KeyLinkView>> {
    const input = InputReader.ofQuery(options ?? {}, { message: violationMessage });
    const scope = {
      tenant: options?.tenant ? scopeText(input, 'tenant') : null,
      product: options?.product ? scopeText(input, 'product') : null,
    };
    input.throwIfInvalid();
    const { offset, limit } = pageOf(options);
    const rows = await this.context.links.list(scope, offset, limit + 1);
    const items = rows.slice(0, limit).map(viewOf);
    return { items, nextOffset: rows.length > limit ? offset + limit : null };
  }

  /** The key service forgets the people of the tenant and product; their keys stay. 404 without a link. */
  async delete(scope: Scope, call: CallContext = LIBRARY_CALL): Promise<null> {
    const input = InputReader.ofQuery(scope ?? {}, { message: violationMessage });
    const of = { tenant: scopeText(input, 'tenant'), product: scopeText(input, 'product') };
    input.throwIfInvalid();
    const { sql, links } = this.context;
    await sql.transaction(async (executor) => {
      if (!(await links.delete(executor, of))) {
        throw notFound('The tenant and product have no key link.');
      }
      await this.audit('key_link.deleted', of, {}, call, executor);
    });
    return null;
  }

  private audit(
    type: string,
    { tenant, product }: Scope,
    details: { fields?: string[] },
    call: CallContext,
    sql: SqlExecutor,
  ): Promise<void> {
    const change = { type, details: { tenant, product, ...details } };
    return this.context.audit.insert([adminEventOf(change, call)], sql);
  }
}

function viewOf({ created_at, updated_at, ...row }: KeyLinkRow): KeyLinkView {
  return {
    ...row,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
