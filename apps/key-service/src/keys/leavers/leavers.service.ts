import { randomUUID } from 'node:crypto';
import { AuditEvents, auditRecordOf } from '@gatehouse/kit/audit';
import { DomainError } from '@gatehouse/kit/errors';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { Semaphore, Semaphores } from '@gatehouse/kit/tasks';
import { type ApplyPeopleRequest, KeyEvents, type LinkAction } from '@gatehouse/schemas';
import { Injectable } from '@nestjs/common';
import { type CallContext } from '../../api/call-context.js';
import { KeyErrors } from '../../errors.js';
import { type KeyRecord } from '../../store/keys/key.record.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { PeopleRepository, type PeopleSource } from '../../store/people/people.repository.js';
import { type Leaver, leaverView } from '../../store/keys/leaver.js';
import { decisionFor } from '../../store/people/person.types.js';
import { PortalRepository } from '../../store/portal/portal.repository.js';
import { type KeyChange, KeyChanges } from '../key-changes.js';
import { UNDELETE_MS } from '../revocation/revoke.service.js';

/** Where changes of keys are recorded, and by whom they are made. */
interface Recording {
  readonly record: (change: KeyChange) => void;
  readonly context: CallContext;
}

type ChangeType = typeof KeyEvents.paused | typeof KeyEvents.revoked | typeof KeyEvents.resumed;

/** Actors by what happens to their keys, each with the person on whose account it does. */
type Decisions = { readonly [Keys in LinkAction | 'resume']: Map<string, Leaver> };

/** Requests that have connections at once. A tenant has one place, so that it keeps none from others. */
const PLACES = 8;
/** The worker asks again after two seconds. */
const WAITING = {
  waitMsMax: 1_500,
  waitingMax: 256,
  refusal: () => new DomainError(KeyErrors.PEOPLE_BUSY, { retryAfterSeconds: 1 }),
};
/** Actors of one transaction. */
const ACTORS_MAX = 500;
/** Statements of one kind in a transaction; the keys that are left follow in the next one. */
const PASSES_MAX = 5;
/** Within the time that the worker waits. A request that takes longer is answered as unfinished. */
const BUDGET_MS = 1_500;
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
  private readonly turns = new Semaphores({ max: 1, ...WAITING });
  private readonly places = new Semaphore({ max: PLACES, ...WAITING });

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
  apply(request: ApplyPeopleRequest): Promise<boolean> {
    return this.turns.run(request.tenant, () => this.places.run(() => this.applyNow(request)));
  }

  private async applyNow(request: ApplyPeopleRequest): Promise<boolean> {
    const { source_id: sourceId, tenant, product, link, snapshot } = request;
    const source = { sourceId, tenant, product };
    const context = { caller: CALLER, ip: '', requestId: randomUUID(), admin: null };
    const endMs = performance.now() + BUDGET_MS;
    let isStored = false;
    for (;;) {
      const isDone = await this.changes.commit(context, async (sql, record) => {
        const recording = { record, context };
        await this.people.lockSource(sql, source);
        if (link === null) return this.forget(sql, source, snapshot?.as_of ?? '0', recording);
        const identity = await this.people.putLink(sql, source, link);
        // A link that named other actors.
        if (BigInt(link.revision) < BigInt(identity)) return true;
        if (!isStored) await this.people.store(sql, source, identity, request.people);
        const isEnded =
          !snapshot?.is_complete ||
          (await this.people.endSnapshot(sql, source, identity, snapshot.as_of));
        return (await this.applyNext(sql, source, recording)) && isEnded;
      });
      isStored = true;
      if (isDone || performance.now() > endMs) return isDone;
    }
  }

  /** Other directories decide on the actors from now on. @returns false if people are left */
  private async forget(
    sql: SqlExecutor,
    source: PeopleSource,
    number: string,
    recording: Recording,
  ): Promise<boolean> {
    const { actorIds, isDone } = await this.people.forget(sql, source, number);
    await this.settle(sql, actorIds, recording, Infinity);
    return isDone;
  }

  /** @returns false if actors of the source, or keys of theirs, are left */
  private async applyNext(
    sql: SqlExecutor,
    { sourceId }: PeopleSource,
    recording: Recording,
  ): Promise<boolean> {
    const actorIds = await this.people.actorsToApply(sql, sourceId, ACTORS_MAX);
    if (!(await this.settle(sql, actorIds, recording, PASSES_MAX))) return false;
    return actorIds.length < ACTORS_MAX;
  }

  /** Has the keys of actors stand as their people do. @returns false if keys are left after so many passes */
  private async settle(
    sql: SqlExecutor,
    actorIds: readonly string[],
    { record, context }: Recording,
    passesMax: number,
  ): Promise<boolean> {
    if (actorIds.length === 0) return true;
    await this.people.lockActors(sql, actorIds);
    const { pause, revoke, resume } = await this.decide(sql, actorIds);
    // Sessions first: one that is making a key ends its transaction before its session ends.
    await this.endSessions(sql, new Map([...pause, ...revoke]), context);
    const change = (
      actors: ReadonlyMap<string, Leaver>,
      type: ChangeType,
      work: () => Promise<KeyRecord[]>,
    ) => this.repeat(actors, type, record, work, passesMax);
    const areAllDone = [
      await change(pause, KeyEvents.paused, () => this.keys.pauseOfActors(sql, pause)),
      await change(revoke, KeyEvents.revoked, () =>
        this.keys.revokeOfActors(sql, revoke, REASON, UNDELETE_MS / 1_000),
      ),
      await change(resume, KeyEvents.resumed, () =>
        this.keys.resumeOfActors(sql, [...resume.keys()]),
      ),
    ].every(Boolean);
    if (areAllDone) await this.people.markApplied(sql, actorIds);
    return areAllDone;
  }

  private async decide(sql: SqlExecutor, actorIds: readonly string[]): Promise<Decisions> {
    const decisions: Decisions = {
      off: new Map(),
      pause: new Map(),
      revoke: new Map(),
      resume: new Map(),
    };
    const standings = await this.people.standingsOf(sql, actorIds);
    for (const [actorId, ofActor] of standings) {
      const { keys, standing } = decisionFor(ofActor);
      const { sourceId, userId } = standing;
      decisions[keys].set(actorId, { sourceId, userId });
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
    type: ChangeType,
    record: Recording['record'],
    change: () => Promise<KeyRecord[]>,
    passesMax: number,
  ): Promise<boolean> {
    if (actors.size === 0) return true;
    for (let pass = 1; pass <= passesMax; pass += 1) {
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
