import { KeyRing } from '@gatehouse/crypto';
import {
  createDelivery,
  type Delivery,
  type DeliveryOptions,
  IDENTITY_EVENTS,
  KEY_EVENTS,
  type LaneQueue,
  plainSystem,
} from '@gatehouse/delivery';
import { type ApplyPeople } from '@gatehouse/directory-sync';
import { Sql } from '@gatehouse/kit/sql';
import { createPool } from '@gatehouse/nest-kit/database';
import { type DsyncWorkerConfig } from '../config.js';
import { identityReceiver } from './identity-people.js';

/** A system whose lanes this worker runs. */
export interface WorkerSystem {
  readonly name: string;
  readonly delivery: Delivery;
  readonly lanes: Pick<LaneQueue, 'wake'>;
  /**
   * Call it before lanes run: connects to the database of the system and sets where its notices go, if
   * that has not been done. Rejects while the database is away.
   */
  readonly open: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The systems by name: directory sync, and those whose database the settings name. */
export type DeliverySystems = ReadonlyMap<string, WorkerSystem>;

/** Injection token of DeliverySystems. */
export const DELIVERY_SYSTEMS = Symbol('DELIVERY_SYSTEMS');

const POOL_MAX = 5;
const ANSWERS = { text: 'SELECT 1' };

/** The systems of other services. Each has a connection pool of its own, opened by the first sweep. */
export function otherSystems(
  config: DsyncWorkerConfig,
  options: Omit<DeliveryOptions, 'sql' | 'system'>,
  lanesOf: (system: string) => LaneQueue,
  applyPeople: ApplyPeople,
): WorkerSystem[] {
  const databases = [
    [
      KEY_EVENTS.schema,
      config.otherSystems.keysDatabaseUrl,
      config.otherSystems.keysEncryptionKeys,
    ],
    [
      IDENTITY_EVENTS.schema,
      config.otherSystems.formsDatabaseUrl,
      config.otherSystems.formsEncryptionKeys,
    ],
  ] as const;
  return databases
    .filter(([, url]) => url !== '')
    .map(([name, url, keys]) =>
      otherSystem(config, [name, url, keys], options, lanesOf(name), applyPeople),
    );
}

/** The `open` of a system. Concurrent calls share one attempt; after a failure, the next tries again. */
export function opener(
  config: DsyncWorkerConfig,
  delivery: WorkerSystem['delivery'],
  connect: () => Promise<unknown> = () => Promise.resolve(),
): () => Promise<void> {
  const { url, secret } = config.notices;
  let opened: Promise<void> | undefined;
  const open = async () => {
    await connect();
    await delivery.putOperationsWebhook({ url, secret });
  };
  return () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
}

function otherSystem(
  config: DsyncWorkerConfig,
  [name, databaseUrl, encryptionKeys]: readonly [string, string, readonly string[]],
  options: Omit<DeliveryOptions, 'sql' | 'system'>,
  lanes: LaneQueue,
  applyPeople: ApplyPeople,
): WorkerSystem {
  const pool = createPool({
    databaseUrl,
    poolMax: POOL_MAX,
    // All databases are reached in the same way.
    isPooled: config.database.directUrl !== '',
    applicationName: 'gatehouse-dsync-worker',
  });
  const sql = new Sql(pool);
  const isForms = name === IDENTITY_EVENTS.schema;
  const receiver = isForms ? identityReceiver(sql, applyPeople) : undefined;
  const system = plainSystem(name, KeyRing.fromTexts(encryptionKeys), receiver);
  const delivery = createDelivery({ ...options, sql, system });
  return {
    name,
    delivery,
    lanes,
    open: opener(config, delivery, () => sql.rows(ANSWERS)),
    close: () => pool.end(),
  };
}
