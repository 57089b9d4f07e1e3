import { credentialKind } from '@gatehouse/crypto';
import { KeyEvents, type KeyStatus } from '@gatehouse/schemas';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { KeyServiceConfig } from '../../config.js';
import { credentialOf } from '../../verification/credentials/credential.js';
import { type KeyChange, KeyChanges } from '../key-changes.js';
import { ExposuresRepository } from '../../store/keys/exposures.repository.js';
import { type KeyRecord, statusOf } from '../../store/keys/key.record.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { type VerificationKey } from '../../store/keys/verification-key.js';
import { KeyResolver } from '../../verification/key-resolver.js';
import { type CallContext } from '../../api/call-context.js';
import { type LeakReport, type Place, placeOf, PLACES_MAX } from './leak-report.js';

export interface LeakResult {
  /** Null when the credential belongs to no key. */
  readonly key: { readonly keyId: string; readonly status: KeyStatus } | null;
  /** Whether the credential is a secret of ours: public keys are meant to be seen. */
  readonly isExposed: boolean;
}

const UNKNOWN: LeakResult = { key: null, isExposed: false };
/** Reports that are looked up at once, and keys that are changed in one transaction. */
const BATCH = 50;
const REASON = 'REVOCATION_REASON_KEY_COMPROMISE';

/**
 * Takes reports of keys that were found in public. Who has the whole credential may report it, in
 * whatever state its key is: the revocation of an exposed key is final, each new place is announced
 * once, and with LEAK_ACTION=revoke the key ends. A report that comes again changes nothing.
 */
@Injectable()
export class LeaksService {
  private readonly reported: Counter<'outcome'>;

  constructor(
    private readonly config: KeyServiceConfig,
    private readonly resolver: KeyResolver,
    private readonly keys: KeysRepository,
    private readonly exposures: ExposuresRepository,
    private readonly changes: KeyChanges,
    registry: Registry,
  ) {
    this.reported = new Counter({
      name: 'key_leak_reports_total',
      help: 'Reported credentials: exposed, or no secret of this service.',
      labelNames: ['outcome'] as const,
      registers: [registry],
    });
    for (const outcome of ['exposed', 'none']) this.reported.inc({ outcome }, 0);
  }

  /** @returns a result for each report, in order */
  async report(reports: readonly LeakReport[], context: CallContext): Promise<LeakResult[]> {
    const found = await this.keysOf(reports);
    const places = new Map<string, Map<string, Place>>();
    found.forEach((key, index) => {
      if (!key || isPublic(key)) return;
      const place = placeOf(reports[index] as LeakReport);
      const ofKey = places.get(key.keyId) ?? new Map<string, Place>();
      places.set(key.keyId, ofKey.set(place.hash, place));
    });
    const exposed = await this.expose(places, context);
    const results = found.map((key): LeakResult => {
      if (!key) return UNKNOWN;
      const { keyId } = key;
      if (isPublic(key)) return { key: { keyId, status: verifiedStatusOf(key) }, isExposed: false };
      const record = exposed.get(keyId);
      return record ? { key: { keyId, status: statusOf(record) }, isExposed: true } : UNKNOWN;
    });
    const count = results.filter(({ isExposed }) => isExposed).length;
    this.reported.inc({ outcome: 'exposed' }, count);
    this.reported.inc({ outcome: 'none' }, results.length - count);
    return results;
  }

  private async keysOf(reports: readonly LeakReport[]): Promise<(VerificationKey | null)[]> {
    const found: (VerificationKey | null)[] = [];
    for (let from = 0; from < reports.length; from += BATCH) {
      const part = reports.slice(from, from + BATCH);
      found.push(...(await Promise.all(part.map((report) => this.keyOf(report)))));
    }
    return found;
  }

  /** Derived tokens end by themselves, so they are no keys here. */
  private async keyOf({ credential }: LeakReport): Promise<VerificationKey | null> {
    const kind = credentialKind(credential);
    if (kind === 'jwt' || kind === 'macaroon') return null;
    const resolved = await this.resolver.fromStore(credentialOf(credential), 'bypass');
    return typeof resolved === 'string' ? null : resolved.key;
  }

  /** @returns the keys as they are now */
  private async expose(
    places: ReadonlyMap<string, ReadonlyMap<string, Place>>,
    context: CallContext,
  ): Promise<Map<string, KeyRecord>> {
    const exposed = new Map<string, KeyRecord>();
    const keyIds = [...places.keys()].sort();
    for (let from = 0; from < keyIds.length; from += BATCH) {
      const part = keyIds.slice(from, from + BATCH);
      const keys = await this.changes.commit(context, (sql, record) =>
        this.exposePart(sql, record, new Map(part.map((id) => [id, places.get(id) ?? new Map()]))),
      );
      keys.forEach((key) => exposed.set(key.keyId, key));
    }
    return exposed;
  }

  private async exposePart(
    sql: SqlExecutor,
    record: (change: KeyChange) => void,
    places: ReadonlyMap<string, ReadonlyMap<string, Place>>,
  ): Promise<KeyRecord[]> {
    const locked = await this.exposures.lock(sql, [...places.keys()]);
    const fresh = locked.map(({ key, known }) => ({
      keyId: key.keyId,
      places: [...(places.get(key.keyId)?.values() ?? [])]
        .filter(({ hash }) => !known.has(hash))
        .slice(0, Math.max(0, PLACES_MAX - known.size)),
    }));
    const found = fresh.filter((each) => each.places.length > 0);
    if (found.length > 0) await this.exposures.add(sql, found);
    const keys: KeyRecord[] = [];
    for (const [index, { key }] of locked.entries()) {
      const revoked = await this.revoke(sql, key);
      const now = revoked ?? key;
      keys.push(now);
      for (const { url, source } of fresh[index]?.places ?? []) {
        record({ type: KeyEvents.exposed, key: now, details: { url, source } });
      }
      const details = { reason: REASON, by: 'leak_report' };
      if (revoked) record({ type: KeyEvents.revoked, key: revoked, details });
    }
    return keys;
  }

  private async revoke(sql: SqlExecutor, key: KeyRecord): Promise<KeyRecord | undefined> {
    const status = statusOf(key);
    const isLive = status === 'KEY_STATUS_ACTIVE' || status === 'KEY_STATUS_PAUSED';
    if (this.config.leakAction !== 'revoke' || !isLive) return undefined;
    const { keyId, kind } = key;
    const revocation = { keyId, kinds: [kind], reason: REASON, description: '' } as const;
    return this.keys.revoke(sql, { ...revocation, undeleteUntil: null });
  }
}

function isPublic(key: VerificationKey): boolean {
  return key.parsedFacts().visibility === 'KEY_VISIBILITY_PUBLIC';
}

function verifiedStatusOf(key: VerificationKey): KeyStatus {
  if (key.isRevoked) return 'KEY_STATUS_REVOKED';
  if (key.expireAtMs <= Date.now()) return 'KEY_STATUS_EXPIRED';
  return key.isPaused ? 'KEY_STATUS_PAUSED' : 'KEY_STATUS_ACTIVE';
}
