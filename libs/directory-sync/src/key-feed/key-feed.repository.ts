import { EventLog } from '@gatehouse/delivery';
import { type Sql } from '@gatehouse/kit/sql';
import { type PeopleLink } from '@gatehouse/schemas';
import { DSYNC_SCHEMA } from '../database/schema.js';
import { type Person } from './actor-ids.js';
import * as statements from './key-feed.sql.js';

export interface LinkedDirectory {
  tenant: string;
  product: string;
  attributeMapping: Record<string, string> | null;
  link: PeopleLink;
}

/** People of a directory that have to be sent whole, under the lease of a run. */
export interface DueFeed {
  runId: string;
  directoryId: string;
  tenant: string;
  product: string;
  wanted: string;
  isLarge: boolean;
}

export class KeyFeedRepository {
  private readonly log: EventLog;

  constructor(private readonly sql: Sql) {
    this.log = new EventLog(sql, DSYNC_SCHEMA);
  }

  /** After an upgrade; see RESUME_LANES. */
  async resumeLanes(): Promise<void> {
    await this.sql.rows(statements.RESUME_LANES);
  }

  /** Undefined for a deleted directory, and for one without a link. */
  async linked(directoryId: string): Promise<LinkedDirectory | undefined> {
    const [row] = await this.sql.rows<LinkedDirectory>(statements.LINKED_DIRECTORY, [directoryId]);
    return row;
  }

  async claim(runId: string, mayBeLarge: boolean): Promise<DueFeed | undefined> {
    const [row] = await this.sql.rows<DueFeed>(statements.CLAIM_FEED, [runId, mayBeLarge]);
    return row && { ...row, runId };
  }

  /** Renews the lease. @returns false if it was lost, or more is wanted */
  async hold(feed: DueFeed): Promise<boolean> {
    return (await this.sql.rows(statements.HOLD_FEED, heldBy(feed))).length > 0;
  }

  async finish(feed: DueFeed): Promise<void> {
    await this.sql.rows(statements.FINISH_FEED, heldBy(feed));
  }

  async delete(feed: DueFeed): Promise<void> {
    await this.sql.rows(statements.DELETE_FEED, heldBy(feed));
  }

  async release({ directoryId, runId }: DueFeed, hasFailed: boolean): Promise<void> {
    await this.sql.rows(statements.RELEASE_FEED, [directoryId, runId, hasFailed]);
  }

  /** A new number of the log. */
  async nextNumber(): Promise<string> {
    const [row] = await this.sql.rows<{ number: string }>(statements.NEXT_NUMBER);
    return row?.number ?? '0';
  }

  /** Whether every event of a directory up to a number is committed, or never will be. */
  async isSettled(directoryId: string, number: string): Promise<boolean> {
    return BigInt(await this.log.horizon(directoryId)) >= BigInt(number);
  }

  /** Users in the order of their ids, after one of them. */
  users(directoryId: string, after: string): Promise<Person[]> {
    return this.sql.rows(statements.PAGE_OF_USERS, [directoryId, after]);
  }
}

const heldBy = ({ directoryId, runId, wanted }: DueFeed) => [directoryId, runId, wanted];
