import { type SqlExecutor } from '@gatehouse/kit/sql';
import { OPERATIONS_SOURCE } from '../log/event-log.types.js';
import { endpointStatements } from './endpoint.sql.js';
import { type Endpoint, type EndpointKey, type EndpointSettings } from './endpoint.types.js';

/** A part of the log. */
export interface ReplayRange {
  /** The number after which the replay begins. */
  after: string;
  /** The last number. */
  until: string;
  /** Null: all that the endpoint takes. */
  types: readonly string[] | null;
  /** The only endpoint to receive it. */
  endpointId?: string;
}

/** Whether the address of an endpoint begins with a text, in any case, with or without its scheme. */
export function addressBeginsWith({ url }: Pick<Endpoint, 'url'>, text: string): boolean {
  const [address, beginning] = [url.toLowerCase(), text.toLowerCase()];
  const host = address.replace(/^https?:\/\//, '');
  return address.startsWith(beginning) || host.startsWith(beginning);
}

/** The endpoints of a delivery system. Every method takes the executor of the caller's transaction. */
export class Endpoints {
  private readonly statements: ReturnType<typeof endpointStatements>;

  constructor(schema: string) {
    this.statements = endpointStatements(schema);
  }

  /** Adds an endpoint that receives the events logged from now on. */
  async insert(
    sql: SqlExecutor,
    id: string,
    sourceId: string,
    settings: EndpointSettings,
  ): Promise<void> {
    await sql.rows(this.statements.insert, [id, sourceId, ...valuesOf(settings)]);
  }

  /**
   * Sets the endpoint of the events about delivery itself; '' turns it off. Every process with the same
   * settings may call it.
   */
  async putOperations(sql: SqlExecutor, url: string, secretSealed: string | null): Promise<void> {
    await sql.rows(this.statements.put, [OPERATIONS_SOURCE, url, secretSealed]);
  }

  async find(sql: SqlExecutor, { id, sourceId }: EndpointKey): Promise<Endpoint | undefined> {
    const [endpoint] = await sql.rows<Endpoint>(this.statements.find, [id, sourceId]);
    return endpoint;
  }

  /** Whether any source has an endpoint with this id. */
  async exists(sql: SqlExecutor, id: string): Promise<boolean> {
    return (await sql.rows(this.statements.exists, [id])).length > 0;
  }

  /** The endpoints that have the ids of the given sources, in any order. */
  findOwn(sql: SqlExecutor, sourceIds: readonly string[]): Promise<Endpoint[]> {
    return sql.rows<Endpoint>(this.statements.findOwn, [sourceIds]);
  }

  /** The endpoints of the given sources, oldest first. */
  list(sql: SqlExecutor, sourceIds: readonly string[]): Promise<Endpoint[]> {
    return sql.rows<Endpoint>(this.statements.list, [sourceIds]);
  }

  async update(
    sql: SqlExecutor,
    { id, sourceId }: EndpointKey,
    settings: EndpointSettings,
  ): Promise<void> {
    await sql.rows(this.statements.update, [id, sourceId, ...valuesOf(settings)]);
  }

  /** Replaces the secret; the current one keeps signing for `overlapSeconds`. */
  async rotateSecret(
    sql: SqlExecutor,
    { id, sourceId }: EndpointKey,
    secretSealed: string,
    overlapSeconds: number,
  ): Promise<void> {
    await sql.rows(this.statements.rotate, [id, sourceId, secretSealed, overlapSeconds]);
  }

  /** Ends a pause: delivery continues with the event after the last one delivered. */
  async resume(sql: SqlExecutor, { id, sourceId }: EndpointKey): Promise<void> {
    await sql.rows(this.statements.resume, [id, sourceId]);
  }

  /** Starts over with the next event that is logged; those before stay in the log only. */
  async restart(sql: SqlExecutor, { id, sourceId }: EndpointKey): Promise<void> {
    await sql.rows(this.statements.restart, [id, sourceId]);
  }

  /** Stops deliveries until `resume`; events are kept as pending. */
  async pause(sql: SqlExecutor, { id, sourceId }: EndpointKey, reason: string): Promise<void> {
    await sql.rows(this.statements.pause, [id, sourceId, reason]);
  }

  async delete(sql: SqlExecutor, { id, sourceId }: EndpointKey): Promise<void> {
    await sql.rows(this.statements.delete, [id, sourceId]);
  }

  async deleteOfSource(sql: SqlExecutor, sourceId: string): Promise<void> {
    await sql.rows(this.statements.deleteOfSource, [sourceId]);
  }

  /**
   * Sends a part of the log again to the endpoints of the given sources, or of all, in order and
   * beside new events. Returns the endpoints that take some of the types.
   */
  async replay(
    sql: SqlExecutor,
    sourceIds: readonly string[] | null,
    { after, until, types, endpointId }: ReplayRange,
  ): Promise<{ endpointId: string; sourceId: string; isFull: boolean }[]> {
    const values = [sourceIds, after, until, types, endpointId ?? null];
    return sql.rows(this.statements.replay, values);
  }
}

function valuesOf(settings: EndpointSettings): unknown[] {
  const { url, types, secretSealed, headersSealed, logsAttempts, onPoison, enabled } = settings;
  return [url, types, secretSealed, headersSealed, logsAttempts, onPoison, enabled];
}
