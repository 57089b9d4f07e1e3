import { randomUUID } from 'node:crypto';
import { AuditEvents, auditRecordOf } from '@gatehouse/kit/audit';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { type ApplyPeopleRequest, KeyEvents, type LinkAction } from '@gatehouse/schemas';
import { Injectable } from '@nestjs/common';
import { type CallContext } from '../../api/call-context.js';
import { type KeyRecord } from '../../store/keys/key.record.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { PeopleRepository, type PeopleSource } from '../../store/people/people.repository.js';
import { type Leaver, leaverView } from '../../store/keys/leaver.js';
import { decisionFor } from '../../store/people/person.types.js';
import { PortalRepository } from '../../store/portal/portal.repository.js';
import { type KeyChange, KeyChanges } from '../key-changes.js';
import { UNDELETE_MS } from '../revocation/revoke.service.js';

type Record = (change: KeyChange) => void;

/** Actors by what happens to their keys, each with the person on whose account it does. */
type Decisions = { readonly [Keys in LinkAction | 'resume']: Map<string, Leaver> };

/** Actors of one transaction. */
const ACTORS_MAX = 500;
/** Statements of one kind in a transaction; the keys that are left follow in the next one. */
const PASSES_MAX = 5;
/** A request that takes longer is answered as unfinished. */
const BUDGET_MS = 5_000;
const REASON = 'REVOCATION_REASON_AFFILIATION_CHANGED';
/** The caller in audit events. */
const CALLER = 'directory-link';

/**
 * Stops the keys and portal sessions of people who leave, and resumes what it paused when they come back
 * (ADR 0052). The state of a person, how far the log of its directory was read, and the change of its keys
 * are rows of one transaction.
 */
@Injectable()
export class LeaversService {
  constructor(
    private readonly changes: KeyChanges,
    private readonly keys: KeysRepository,
    private readonly people: PeopleRepository,
    private readonly sessions: PortalRepository,
    private readonly audit: AuditEvents,
  ) {}

  /**
   * Applies what became of people. Idempotent: repeated and outdated changes change nothing.
   *
   * @returns whether it is done; if not, the same request goes on
   */
  async apply(request: ApplyPeopleRequest): Promise<boolean> {
    const { source_id: sourceId, tenant, product } = request;
    const source = { sourceId, tenant, product };
    const context = { caller: CALLER, ip: '', requestId: randomUUID(), admin: null };
    const endMs = performance.now() + BUDGET_MS;
    for (let isStored = false; ; isStored = true) {
      const isDone = await this.changes.commit(context, async (sql, record) => {
        await this.people.lockTenant(sql, tenant);
        if (request.link === null) return this.people.forget(sql, source);
        if (!isStored) await this.store(sql, source, request);
        return this.applyNext(sql, source, record, context);
      });
      if (isDone || performance.now() > endMs) return isDone;
    }
  }

  private async store(
    sql: SqlExecutor,
    source: PeopleSource,
    { link, people, snapshot }: ApplyPeopleRequest,
  ): Promise<void> {
    if (link) await this.people.putLink(sql, source, link);
    await this.people.store(sql, source, people, snapshot?.as_of);
    if (snapshot?.is_complete) {
      await this.people.endSnapshot(sql, source, snapshot.as_of);
    }
  }

  /** @returns false if actors of the source, or keys of theirs, are left */
  private async applyNext(
    sql: SqlExecutor,
    { sourceId, tenant }: PeopleSource,
    record: Record,
    context: CallContext,
  ): Promise<boolean> {
    const actorIds = await this.people.actorsToApply(sql, sourceId, ACTORS_MAX);
    if (actorIds.length === 0) return true;
    const { pause, revoke, resume } = await this.decide(sql, tenant, actorIds);
    // Sessions first: one that is making a key ends its transaction before its session ends.
    await this.endSessions(sql, new Map([...pause, ...revoke]), context);
    const areAllDone = [
      await this.repeat(pause, KeyEvents.paused, record, () => this.keys.pauseOfActors(sql, pause)),
      await this.repeat(revoke, KeyEvents.revoked, record, () =>
        this.keys.revokeOfActors(sql, revoke, REASON, UNDELETE_MS / 1_000),
      ),
      await this.repeat(resume, KeyEvents.resumed, record, () =>
        this.keys.resumeOfActors(sql, tenant, [...resume.keys()]),
      ),
    ].every(Boolean);
    if (!areAllDone) return false;
    await this.people.markApplied(sql, tenant, actorIds);
    return actorIds.length < ACTORS_MAX;
  }

  private async decide(
    sql: SqlExecutor,
    tenant: string,
    actorIds: readonly string[],
  ): Promise<Decisions> {
    const decisions: Decisions = {
      off: new Map(),
      pause: new Map(),
      revoke: new Map(),
      resume: new Map(),
    };
    const standings = await this.people.standingsOf(sql, tenant, actorIds);
    for (const [actorId, ofActor] of standings) {
      const { keys, standing } = decisionFor(ofActor);
      const { sourceId, userId } = standing;
      decisions[keys].set(actorId, { tenant, sourceId, userId });
    }
    return decisions;
  }

  /**
   * Changes keys of actors until none is left. A first statement that waited for a rotation does not see the
   * new key, so there is always a second one.
   *
   * @returns false if keys are left
   */
  private async repeat(
    actors: ReadonlyMap<string, Leaver>,
    type: typeof KeyEvents.paused | typeof KeyEvents.revoked | typeof KeyEvents.resumed,
    record: Record,
    change: () => Promise<KeyRecord[]>,
  ): Promise<boolean> {
    if (actors.size === 0) return true;
    for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
      const keys = await change();
      for (const key of keys) {
        const leaver = actors.get(key.actorId) as Leaver;
        const reason = type === KeyEvents.revoked && { reason: REASON };
        record({ type, key, details: { ...reason, ...leaverView(leaver) } });
      }
      if (pass > 1 && keys.length === 0) return true;
    }
    return false;
  }

  private async endSessions(
    sql: SqlExecutor,
    leavers: ReadonlyMap<string, Leaver>,
    context: CallContext,
  ): Promise<void> {
    if (leavers.size === 0) return;
    const ended = await this.sessions.revokeOfActors(sql, [...leavers.keys()]);
    const events = ended.map(({ sessionId, actorId }) => {
      const leaver = leaverView(leavers.get(actorId) as Leaver);
      const details = { session_id: sessionId, ...leaver };
      const event = auditRecordOf('portal_session.revoked', context, details);
      return Object.assign(event, { key_id: '', old_key_id: '', actor_id: actorId });
    });
    await this.audit.insert(events, sql);
  }
}
