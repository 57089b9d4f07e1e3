import { Inject, Injectable } from '@nestjs/common';
import { credentialKind, hashImportedKey, type KeyRing } from '@gatehouse/crypto';
import { KeyEvents } from '@gatehouse/schemas';
import { DomainError } from '@gatehouse/kit/errors';
import { uuidv7 } from '@gatehouse/kit/ids';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { IMPORTED_HASHES } from '../../store/cache/cache-invalidation.js';
import { type ForeignHash } from '../../store/hashes/foreign-hash.js';
import { HashImports, type PlannedHash } from '../../store/hashes/hash-imports.js';
import { HMAC_RING } from '../../key-rings.js';
import { type CallContext } from '../../api/call-context.js';
import { grantFault } from '../grants.js';
import { KeyChanges } from '../key-changes.js';
import { type ImportInput } from '../key-input.js';
import { KeyLimit } from '../key-limit.js';
import { type KeyRecord, type NewKey } from '../../store/keys/key.record.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { SecretMinter } from '../secret-minter.js';
import { KeyErrors } from '../../errors.js';

/** The result of one item: the key, or the error. */
export type ImportOutcome = KeyRecord | Error;

interface PreparedKey extends NewKey {
  /** Base64 of the hashes of the raw key under each HMAC secret, the current one first. */
  readonly hashes: readonly string[];
  /** Instead of the raw key. */
  readonly foreignHash: ForeignHash | undefined;
}

type Planned = Exclude<PlannedHash, DomainError>;

const ROLLBACK = new Error('a trial is rolled back');

/**
 * Imports keys that were made elsewhere, up to 1000 in one transaction. Each item of a batch
 * succeeds or fails independently.
 */
@Injectable()
export class ImportService {
  constructor(
    @Inject(HMAC_RING) private readonly ring: KeyRing,
    private readonly changes: KeyChanges,
    private readonly hashImports: HashImports,
    private readonly keys: KeysRepository,
    private readonly limit: KeyLimit,
    private readonly minter: SecretMinter,
  ) {}

  async import(input: ImportInput, context: CallContext): Promise<KeyRecord> {
    const [outcome] = await this.importMany([input], context);
    if (outcome instanceof Error) throw outcome;
    if (!outcome) throw new Error('an import came to nothing');
    return outcome;
  }

  /**
   * Imports the valid items; an Error among the items is returned unchanged.
   *
   * @param isTrial whether to import nothing, and only to return what would come of it
   */
  async importMany(
    items: readonly (ImportInput | Error)[],
    context: CallContext,
    isTrial = false,
  ): Promise<ImportOutcome[]> {
    const prepared = items.map((item) =>
      item instanceof Error
        ? item
        : (grantFault({ kind: 'imported', ...item }, context) ?? this.prepare(item)),
    );
    let outcomes: Awaited<ReturnType<ImportService['store']>> = [];
    const committed = this.changes.commit(context, async (sql, record) => {
      outcomes = await this.store(sql, prepared);
      if (isTrial) throw ROLLBACK;
      outcomes.forEach((outcome, index) => {
        const item = prepared[index];
        if (outcome instanceof Error || !item || item instanceof Error || !outcome.isNew) return;
        const { key } = outcome;
        const details = { name: key.name };
        const handles = item.foreignHash ? [IMPORTED_HASHES] : item.hashes;
        record({ type: KeyEvents.imported, key, details, handles });
      });
    });
    await committed.catch((error: unknown) => {
      if (error !== ROLLBACK) throw error;
    });
    return outcomes.map((outcome) => (outcome instanceof Error ? outcome : outcome.key));
  }

  async delete(keyId: string, context: CallContext): Promise<void> {
    await this.changes.commit(context, async (sql, record) => {
      const key = await this.keys.deleteImported(sql, keyId);
      if (!key) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
      record({ type: KeyEvents.deleted, key, details: { name: key.name } });
    });
  }

  private prepare(input: ImportInput): PreparedKey | DomainError {
    const { rawKey, ttlSeconds, ...fields } = input;
    const isRaw = input.foreignHash === undefined;
    if (isRaw && credentialKind(rawKey) !== 'imported') {
      return new DomainError(KeyErrors.RAW_KEY_SHAPE_TAKEN);
    }
    const hashes = hashImportedKey(this.ring, rawKey);
    const [{ hash, hashKeyId }] = hashes;
    const createTime = new Date();
    return {
      ...fields,
      keyId: uuidv7(),
      kind: 'imported',
      secretHash: hash,
      hashKeyId,
      hashes: isRaw ? hashes.map((keyed) => keyed.hash.toString('base64')) : [],
      keyPreview: '',
      createTime,
      expireTime: this.minter.expireTime(createTime, ttlSeconds),
    };
  }

  private async store(
    sql: SqlExecutor,
    prepared: readonly (PreparedKey | Error)[],
  ): Promise<({ key: KeyRecord; isNew: boolean } | Error)[]> {
    const requestIds = prepared.flatMap((item) =>
      item instanceof Error || item.requestId === null ? [] : [item.requestId],
    );
    const before = requestIds.length > 0 ? await this.keys.findByRequestIds(requestIds, sql) : null;
    const { left, error } = await this.limit.room(sql);
    const added = new Set<PreparedKey>();
    const taken = await this.storedHashes(sql, prepared);
    const isRepeat = ({ requestId }: PreparedKey) => requestId !== null && before?.has(requestId);
    const { items, plans } = await this.withHashes(sql, prepared, isRepeat);
    const refusals = new Map<number, Error>();
    items.forEach((item, index) => {
      if (item instanceof Error || isRepeat(item)) return;
      const names = [
        ...item.hashes,
        ...(item.requestId === null ? [] : [`request:${item.requestId}`]),
      ];
      if (names.some((name) => taken.has(name))) return;
      if (added.size >= left) return void refusals.set(index, error as Error);
      names.forEach((name) => taken.add(name));
      added.add(item);
    });
    const stored = added.size > 0 ? await this.keys.insert(sql, [...added]) : [];
    const storedById = new Map(stored.map((key) => [key.keyId, key]));
    const hashed = stored.flatMap(({ keyId }) => ({ keyId, planned: plans.get(keyId) }));
    await this.hashImports.add(sql, hashed);
    const after =
      requestIds.length > 0
        ? await this.keys.findByRequestIds(requestIds, sql)
        : new Map<string, KeyRecord>();
    return items.map((item, index) => {
      if (item instanceof Error) return item;
      const refusal = refusals.get(index);
      if (refusal) return refusal;
      const key = storedById.get(item.keyId);
      if (key) return { key, isNew: true };
      const first = item.requestId === null ? undefined : after.get(item.requestId);
      if (first === undefined) return new DomainError(KeyErrors.API_KEY_ALREADY_EXISTS);
      return first.kind === 'imported'
        ? { key: first, isNew: false }
        : new DomainError(KeyErrors.REQUEST_ID_TAKEN);
    });
  }

  /** Items with a foreign hash, as they are stored under it, or the reason why they cannot be. */
  private async withHashes(
    sql: SqlExecutor,
    prepared: readonly (PreparedKey | Error)[],
    isRepeat: (item: PreparedKey) => boolean | undefined,
  ): Promise<{ items: (PreparedKey | Error)[]; plans: Map<string, Planned> }> {
    const plans = new Map<string, Planned>();
    const isPlanned = (item: PreparedKey | Error): item is PreparedKey & { foreignHash: object } =>
      !(item instanceof Error) && item.foreignHash !== undefined && !isRepeat(item);
    const hashes = prepared.flatMap((item) => (isPlanned(item) ? item.foreignHash : []));
    if (hashes.length === 0) return { items: [...prepared], plans };
    const planned = (await this.hashImports.plan(sql, hashes)).values();
    const items = prepared.map((item) => {
      if (!isPlanned(item)) return item;
      const plan = planned.next().value as PlannedHash;
      if (plan instanceof Error) return plan;
      plans.set(item.keyId, plan);
      const [{ hash: secretHash, hashKeyId }] = plan.names;
      return { ...item, secretHash, hashKeyId };
    });
    return { items, plans };
  }

  /** The hashes among these that are taken. With one secret, the unique index answers that. */
  private async storedHashes(
    sql: SqlExecutor,
    prepared: readonly (PreparedKey | Error)[],
  ): Promise<Set<string>> {
    if (this.ring.ids.length === 1) return new Set();
    const hashes = prepared.flatMap((item) => (item instanceof Error ? [] : item.hashes));
    return this.keys.lockImportedHashes(sql, hashes);
  }
}
