/** Adds the hashes of imported keys, within the bounds of what a verification may look up. */
import { Inject, Injectable } from '@nestjs/common';
import { hashImportedHash, type KeyedHash, type KeyRing } from '@gatehouse/crypto';
import { DomainError } from '@gatehouse/kit/errors';
import { uuidv7 } from '@gatehouse/kit/ids';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { timingSafeEqual } from 'node:crypto';
import { KeyErrors } from '../../errors.js';
import { HMAC_RING } from '../../key-rings.js';
import { algorithmName, type ForeignHash, identityText } from './foreign-hash.js';
import { HashesRepository, type HashGroup } from './hashes.repository.js';

const HASHES_OF_PREFIX_MAX = 4;
const PREFIX_LENGTHS_MAX = 4;
const HMAC_KEYS_MAX = 8;

type KeyedHashes = ReturnType<typeof hashImportedHash>;
type GroupName = Omit<HashGroup, 'groupId'>;

/** A hash that may be added, or why not. */
export type PlannedHash = { group: GroupName; hash: ForeignHash; names: KeyedHashes } | DomainError;

@Injectable()
export class HashImports {
  constructor(
    @Inject(HMAC_RING) private readonly ring: KeyRing,
    private readonly repository: HashesRepository,
  ) {}

  /** Plans hashes in their order. Other imports of hashes wait until the transaction ends. */
  async plan(sql: SqlExecutor, hashes: readonly ForeignHash[]): Promise<PlannedHash[]> {
    await this.repository.lock(sql);
    const groups: GroupName[] = await this.repository.groups(sql);
    const pending = new Set((await this.repository.pendingGroups(sql)).map(nameOf));
    const prefixes = [...new Set(hashes.flatMap(({ prefix }) => prefix ?? []))];
    const counts = await this.repository.countPrefixes(sql, prefixes);
    const named = hashes.map((hash) => {
      const group = groupFor(hash, groups);
      const text = identityText(group.fingerprint, hash);
      return { group, hash, names: hashImportedHash(this.ring, text) };
    });
    const identities = named.flatMap(({ names }) => names.map(base64));
    const taken = new Set(await this.repository.storedIdentities(sql, identities));
    return named.map((planned) => {
      const { group, hash, names } = planned;
      if (names.some((name) => taken.has(base64(name)))) {
        return new DomainError(KeyErrors.API_KEY_ALREADY_EXISTS);
      }
      if (hash.prefix !== null) {
        const count = counts.get(hash.prefix) ?? 0;
        if (count >= HASHES_OF_PREFIX_MAX) return new DomainError(KeyErrors.HASH_PREFIX_FULL);
        counts.set(hash.prefix, count + 1);
      }
      const all = new Set([...pending, nameOf(group)]);
      if (isTooMany(groups.filter((each) => all.has(nameOf(each))))) {
        return new DomainError(KeyErrors.HASH_LOOKUPS_EXHAUSTED);
      }
      pending.add(nameOf(group));
      names.forEach((name) => taken.add(base64(name)));
      return planned;
    });
  }

  /** Adds the hashes of stored keys; those without one are passed over. */
  async add(
    sql: SqlExecutor,
    stored: readonly { keyId: string; planned: Exclude<PlannedHash, DomainError> | undefined }[],
  ): Promise<void> {
    const added = stored.flatMap(({ keyId, planned }) => (planned ? { keyId, planned } : []));
    if (added.length === 0) return;
    const ids = new Map<string, number>();
    for (const { planned } of added) {
      const { group } = planned;
      if (ids.has(group.fingerprint)) continue;
      ids.set(group.fingerprint, await this.repository.addGroup(sql, group));
    }
    const rows = added.map(({ keyId, planned: { group, hash, names } }) => ({
      keyId,
      hash,
      groupId: ids.get(group.fingerprint) as number,
      identity: names[0].hash,
    }));
    await this.repository.insert(sql, rows);
  }
}

function nameOf({ fingerprint }: GroupName): string {
  return fingerprint;
}

function base64({ hash }: KeyedHash): string {
  return hash.toString('base64');
}

function isTooMany(groups: readonly GroupName[]): boolean {
  const lengths = new Set(groups.flatMap(({ prefixLength }) => prefixLength ?? []));
  const hmacKeys = groups.filter(({ hmacKey }) => hmacKey !== null);
  return lengths.size > PREFIX_LENGTHS_MAX || hmacKeys.length > HMAC_KEYS_MAX;
}

/** The group of a hash, which is added to the known ones if it is new. */
function groupFor(hash: ForeignHash, groups: GroupName[]): GroupName {
  const { algorithm, prefix } = hash;
  const prefixLength = prefix?.length ?? null;
  const isKeyed = hash.hmacKey !== '' && prefix === null;
  const hmacKey = isKeyed ? Buffer.from(hash.hmacKey, 'base64') : null;
  const known = groups.find(
    (group) =>
      group.algorithm === algorithm &&
      group.prefixLength === prefixLength &&
      isSameKey(group.hmacKey, hmacKey),
  );
  if (known) return known;
  const name = algorithmName(algorithm);
  const suffix = hmacKey === null ? '' : `:${uuidv7()}`;
  const fingerprint = prefixLength === null ? name + suffix : `${name}/${prefixLength}`;
  const added = { algorithm, fingerprint, prefixLength, hmacKey };
  groups.push(added);
  return added;
}

function isSameKey(a: Buffer | null, b: Buffer | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && timingSafeEqual(a, b);
}
