import { IDENTITY_EVENTS } from '@gatehouse/delivery';
import { type AdminEvent, AuditEvents } from '@gatehouse/kit/audit';
import { Sql } from '@gatehouse/kit/sql';
import { type LinkAction } from '@gatehouse/schemas';
import { Inject, Injectable } from '@nestjs/common';
import * as statements from './key-link.sql.js';

export interface KeyLinkSettings {
  actor_prefix: string;
  on_delete: LinkAction;
}

export interface KeyLinkRow extends KeyLinkSettings {
  revision: number;
  updated_at: Date;
}

const { sourceId } = IDENTITY_EVENTS;

/** The key link of all identities. Each change is audited in its transaction. */
@Injectable()
export class KeyLinkRepository {
  constructor(
    private readonly sql: Sql,
    @Inject(AuditEvents) private readonly audit: AuditEvents<AdminEvent>,
  ) {}

  async find(): Promise<KeyLinkRow | undefined> {
    const [row] = await this.sql.rows<KeyLinkRow>(statements.FIND_LINK, [sourceId]);
    return row;
  }

  put({ actor_prefix, on_delete }: KeyLinkSettings, event: AdminEvent): Promise<KeyLinkRow> {
    return this.sql.transaction(async (sql) => {
      const values = [sourceId, actor_prefix, on_delete];
      const [row] = await sql.rows<KeyLinkRow>(statements.PUT_LINK, values);
      await this.audit.insert([event], sql);
      return row as KeyLinkRow;
    });
  }

  /** @returns false without a link */
  delete(event: AdminEvent): Promise<boolean> {
    return this.sql.transaction(async (sql) => {
      const isDeleted = (await sql.rows(statements.DELETE_LINK, [sourceId])).length > 0;
      if (isDeleted) await this.audit.insert([event], sql);
      return isDeleted;
    });
  }
}
