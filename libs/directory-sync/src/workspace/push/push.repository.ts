/** Database access of workspace push notifications. */
import { type Sql } from '@gatehouse/kit/sql';
import { type Grant, type ProviderName } from '@gatehouse/workspace-providers';
import { FIRST_PHASE, NO_COUNTS } from '../runs/run.types.js';
import * as statements from './push.sql.js';

/** The channel that a notification came by. */
export interface NotifiedChannel {
  directoryId: string;
  tokenSha256: Buffer;
  provider: ProviderName;
  /** Whether a run is due already. */
  isDue: boolean;
}

export interface StoredChannel {
  id: string;
  topic: string;
  /** The watched resource and the target address, to compare. */
  watched: string;
  /** Null if its opening did not end. */
  providerId: string | null;
}

/** A directory whose channels this process checks. */
export interface ClaimedDirectory {
  directoryId: string;
  /** Failed checks in a row. */
  setbacks: number;
  /** False: it is deleted or deactivated. */
  isLive: boolean;
}

export interface CheckEnd {
  inSeconds: number;
  setbacks: number;
  error: string | null;
  /** When the first channel expires, of a check without an error. */
  activeUntil: Date | null;
}

export class PushRepository {
  constructor(private readonly sql: Sql) {}

  async findChannel(id: string): Promise<NotifiedChannel | undefined> {
    const [channel] = await this.sql.rows<NotifiedChannel>(statements.FIND_CHANNEL, [id]);
    return channel;
  }

  async hint(directoryId: string, settleSeconds: number): Promise<void> {
    await this.sql.rows(statements.HINT, [directoryId, settleSeconds]);
  }

  async checkNow(directoryId: string): Promise<void> {
    await this.sql.rows(statements.CHECK_NOW, [directoryId]);
  }

  async startPushed(intervalSeconds: number): Promise<void> {
    await this.sql.rows(statements.START_PUSHED, [FIRST_PHASE, NO_COUNTS, intervalSeconds]);
  }

  async addDirectories(): Promise<void> {
    await this.sql.rows(statements.ADD_DIRECTORIES);
  }

  async claim(holder: string, seconds: number): Promise<ClaimedDirectory | undefined> {
    const values = [holder, seconds];
    const [claimed] = await this.sql.rows<ClaimedDirectory>(statements.CLAIM, values);
    return claimed;
  }

  async finish(directoryId: string, holder: string, end: CheckEnd): Promise<void> {
    const { inSeconds, setbacks, error, activeUntil } = end;
    const values = [directoryId, holder, inSeconds, setbacks, error, activeUntil];
    await this.sql.rows(statements.FINISH, values);
  }

  async release(directoryId: string, holder: string): Promise<void> {
    await this.sql.rows(statements.RELEASE, [directoryId, holder]);
  }

  channels(directoryId: string): Promise<StoredChannel[]> {
    return this.sql.rows(statements.CHANNELS, [directoryId]);
  }

  /** False if another process has taken the directory over. */
  async insertChannel(
    directoryId: string,
    holder: string,
    channel: Omit<StoredChannel, 'providerId'> & { tokenSha256: Buffer },
  ): Promise<boolean> {
    const { id, topic, watched, tokenSha256 } = channel;
    const values = [directoryId, holder, id, topic, watched, tokenSha256];
    return (await this.sql.rows(statements.INSERT_CHANNEL, values)).length > 0;
  }

  async grant(id: string, { providerId, expiresAt }: Grant): Promise<void> {
    await this.sql.rows(statements.GRANT, [id, providerId, expiresAt]);
  }

  async deleteChannel(id: string): Promise<void> {
    await this.sql.rows(statements.DELETE_CHANNEL, [id]);
  }
}
