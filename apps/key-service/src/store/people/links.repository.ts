import { type LinkAction } from '@gatehouse/schemas';
import { Sql } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { type KeyKind } from '../keys/key.types.js';
import * as statements from './people.sql.js';
import { type Person } from './person.types.js';

/** The key link of a tenant and product, as directory sync sent it. */
export interface DirectoryLink {
  readonly tenant: string;
  readonly product: string;
  readonly revision: number;
  readonly attribute: string;
  readonly actor_prefix: string;
  readonly email_domains: readonly string[];
  readonly on_deactivate: LinkAction;
  readonly on_delete: LinkAction;
  readonly update_time: Date;
  /** When all people of a directory were last received; null before the first time. */
  readonly snapshot_time: Date | null;
  /** Actors of working keys that are no person, at `count_time`. */
  readonly unmatched_actors: number | null;
  readonly count_time: Date | null;
}

/** A working key of a person who has left. */
export interface KeyOfLeaver {
  readonly keyId: string;
  readonly kind: KeyKind;
  readonly name: string;
  readonly actorId: string;
  readonly sourceId: string;
  readonly userId: string;
}

/** A person behind an actor. */
export interface PersonOfActor extends Pick<Person, 'userId' | 'state'> {
  /** False for an actor that the person was once. */
  readonly isCurrent: boolean;
  readonly sourceId: string;
  readonly tenant: string;
  readonly product: string;
  /** Since when the person is in its state. */
  readonly stateTime: Date;
}

/** Links of directories with keys, as administrators see them. */
@Injectable()
export class LinksRepository {
  constructor(private readonly sql: Sql) {}

  list(
    { tenant, product }: { tenant: string | null; product: string | null },
    after: readonly string[] = ['', ''],
    limit: number,
  ): Promise<DirectoryLink[]> {
    return this.sql.rows(statements.LIST_LINKS, [tenant, product, ...after, limit]);
  }

  async find(tenant: string, product: string): Promise<DirectoryLink | undefined> {
    const [link] = await this.sql.rows<DirectoryLink>(statements.FIND_LINK, [tenant, product]);
    return link;
  }

  /** The people behind an actor, at most 100; the last to change come first. */
  peopleOf(actorId: string): Promise<PersonOfActor[]> {
    return this.sql.rows(statements.PEOPLE_OF_ACTOR, [actorId]);
  }

  /** In the order of actors. @param after the actor and the key before */
  keysOfLeavers(
    { tenant, product }: DirectoryLink,
    after: readonly string[] = ['', ''],
    limit: number,
  ): Promise<KeyOfLeaver[]> {
    return this.sql.rows(statements.KEYS_OF_LEAVERS, [tenant, product, ...after, limit]);
  }

  /** Actors of working keys that the link could name, but that are no person of the tenant. */
  async unmatchedActors(link: DirectoryLink, limit: number): Promise<string[]> {
    const values = [link.tenant, link.actor_prefix, link.email_domains, limit];
    const rows = await this.sql.rows<{ actorId: string }>(statements.UNMATCHED_ACTORS, values);
    return rows.map(({ actorId }) => actorId);
  }

  /** A link to count today, for one caller; undefined if none is left. */
  async claimCount(): Promise<DirectoryLink | undefined> {
    return (await this.sql.rows<DirectoryLink>(statements.CLAIM_COUNT))[0];
  }

  async setCount({ tenant, product }: DirectoryLink, unmatched: number): Promise<void> {
    await this.sql.rows(statements.SET_COUNT, [tenant, product, unmatched]);
  }

  /** Forgets people who left long ago and have no working keys. */
  async forgetOld(signal: AbortSignal | undefined): Promise<void> {
    while (!signal?.aborted) {
      const forgotten = await this.sql.rows(statements.FORGET_OLD);
      if (forgotten.length < statements.ROWS_MAX) return;
    }
  }
}
