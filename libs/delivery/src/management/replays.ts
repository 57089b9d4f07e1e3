import { DomainError } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { DeliveryErrors } from '../delivery.errors.js';
import { Endpoints, type ReplayRange } from '../endpoints/endpoints.js';
import { EventLog } from '../log/event-log.js';
import { type ReplayRequest } from './replay.input.js';

export interface ReplaysOptions {
  sql: Sql;
  schema: string;
  /** Wakes the lanes of a source. */
  wake: (sourceId: string) => void;
}

/** Sends parts of the log of a system again, in order and beside new events. */
export class Replays {
  private readonly endpoints: Endpoints;
  private readonly log: EventLog;

  constructor(private readonly options: ReplaysOptions) {
    this.endpoints = new Endpoints(options.schema);
    this.log = new EventLog(options.sql, options.schema);
  }

  /**
   * Starts a replay to the endpoints of a source, or of all.
   *
   * @param after the number of the event that the request begins after
   * @param audit writes the audit event, in the transaction of the replay
   * @returns the number of endpoints that receive it
   * @throws DomainError `not_found` for an endpoint that the source does not have,
   *   `failed_precondition` if one of its endpoints has too many unfinished replays. A replay to all
   *   sources leaves such endpoints out.
   */
  async start(
    sourceId: string | null,
    { from, until, types, endpointId }: ReplayRequest,
    after: string,
    audit: (sql: SqlExecutor) => Promise<void>,
  ): Promise<number> {
    if (endpointId !== undefined) await this.requireEndpoint(sourceId, endpointId);
    return this.send(
      sourceId,
      {
        after: from ? await this.log.sequenceBefore(from, sourceId) : after,
        until: until
          ? await this.log.sequenceBefore(until, sourceId)
          : await this.log.horizon(sourceId),
        types,
        endpointId,
      },
      audit,
    );
  }

  /** Sends one event again. Parameters and result as `start`. */
  async resend(
    { sourceId, sequence, type }: { sourceId: string; sequence: string; type: string },
    endpointId: string | undefined,
    audit: (sql: SqlExecutor) => Promise<void>,
  ): Promise<number> {
    if (endpointId !== undefined) await this.requireEndpoint(sourceId, endpointId);
    const after = String(BigInt(sequence) - 1n);
    return this.send(sourceId, { after, until: sequence, types: [type], endpointId }, audit);
  }

  /** Without an endpoint that receives it, does nothing. */
  private async send(
    sourceId: string | null,
    range: ReplayRange,
    audit: (sql: SqlExecutor) => Promise<void>,
  ): Promise<number> {
    const { sql, wake } = this.options;
    const sources = sourceId === null ? null : [sourceId];
    const targets = await sql.transaction(async (executor) => {
      const endpoints = await this.endpoints.replay(executor, sources, range);
      const found = endpoints.filter(({ isFull }) => !isFull);
      if (sources !== null && found.length < endpoints.length) {
        throw new DomainError(DeliveryErrors.REPLAY_LIMIT_REACHED);
      }
      if (found.length > 0) await audit(executor);
      return found;
    });
    for (const id of new Set(targets.map((target) => target.sourceId))) wake(id);
    return targets.length;
  }

  private async requireEndpoint(sourceId: string | null, id: string): Promise<void> {
    const { sql } = this.options;
    const isKnown =
      isUuid(id) &&
      (sourceId === null
        ? await this.endpoints.exists(sql, id)
        : await this.endpoints.find(sql, { id, sourceId }));
    if (!isKnown) throw new DomainError(DeliveryErrors.WEBHOOK_ENDPOINT_NOT_FOUND);
  }
}
