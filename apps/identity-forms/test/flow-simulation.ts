/**
 * A flow in a world of a seed, with the real services, SQL and PostgreSQL: browsers submit it at the same time, and
 * again when an answer is lost.
 */
import { compileSchema } from '@gatehouse/form-decoder';
import { type AuditEvents } from '@gatehouse/kit/audit';
import { DomainError } from '@gatehouse/kit/errors';
import { type PageTokens } from '@gatehouse/kit/paging';
import { Sql } from '@gatehouse/kit/sql';
import { migrate } from '@gatehouse/nest-kit/database';
import { createMigratedDatabase } from '@gatehouse/testing';
import { isBroken, simulateSeed, SteppedDatabase, World } from '@gatehouse/testing/simulation';
import { type Scheduler } from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool } from 'pg';
import { IdentityFormsConfig } from '../src/config.js';
import { createDataSource } from '../src/data-source.js';
import { DecodingService } from '../src/decoding/decoding.service.js';
import { FormsErrors } from '../src/errors.js';
import { IdentityEventLog } from '../src/events/identity-event-log.js';
import { requireOpen } from '../src/flows/flow-state.js';
import { FlowsRepository } from '../src/flows/flows.repository.js';
import { FlowsService } from '../src/flows/flows.service.js';
import { OpenFlows } from '../src/flows/open-flows.js';
import { SealedSignUps } from '../src/flows/sealed-sign-ups.js';
import { type SubmissionLimits } from '../src/flows/submission-limits.js';
import { IdentitiesRepository } from '../src/identities/identities.repository.js';
import { IdentitiesService } from '../src/identities/identities.service.js';
import { ValidatedTraits } from '../src/identities/validated-traits.js';
import { PageTokenKeysRepository } from '../src/paging/page-token-keys.repository.js';
import { type CompiledSchema, type SchemaCatalog } from '../src/schemas/schema-catalog.js';
import { schemaOf } from './forms-client.js';
import { MEMBER } from './traits.js';

const BROWSERS_MAX = 4;
const TRIES = 4;
const TRIES_ALONE = 50;
const KINDS = ['stored', 'public', 'profile', 'bound'] as const;
const STEPS_MAX = 5_000;
const TTL = { ttlSeconds: 3_600 };
const CALL = { caller: 'tests', ip: '', requestId: '' };

const schema: CompiledSchema = {
  id: 'member',
  version: 1,
  plan: compileSchema(schemaOf(MEMBER), { isRegistered: true }),
};
const catalog = { get: () => schema } as unknown as SchemaCatalog;
const audit = { insert: () => Promise.resolve() } as unknown as AuditEvents;
const limits = { countIdentifiers: () => Promise.resolve() } as unknown as SubmissionLimits;
const config = new IdentityFormsConfig();
const log = new IdentityEventLog({ wake: () => undefined }, { publish: () => undefined });

let opening: Promise<SteppedDatabase> | undefined;

/** @returns the faults of a seed: none if the flow is used once, by one browser, and not by half */
export async function simulate(seed: number): Promise<string[]> {
  opening ??= open();
  const database = await opening;
  return simulateSeed(seed, (scheduler, numbers) =>
    new Simulation(database, scheduler, numbers).run(),
  );
}

export const close = async () => (await opening)?.close();

async function open(): Promise<SteppedDatabase> {
  const database = await SteppedDatabase.open(
    await createMigratedDatabase('identity-forms', (url) => migrate(createDataSource(url))),
  );
  await database.plain.query(
    "INSERT INTO forms.schemas (id, current_version) VALUES ('member', 1)",
  );
  await database.plain
    .query(`INSERT INTO forms.schema_versions (schema_id, version, digest, document)
    VALUES ('member', 1, '', '{}')`);
  return database;
}

/** The services of a process, on its connections. */
function servicesOn(sql: Sql) {
  const rows = new FlowsRepository(sql);
  const identityRows = new IdentitiesRepository(sql, log);
  const pageTokens = {} as PageTokens;
  const identities = new IdentitiesService(identityRows, catalog, pageTokens, sql, log, audit);
  const decoding = new DecodingService(identities, config);
  const sealed = new SealedSignUps(new PageTokenKeysRepository(sql));
  return {
    identityRows,
    openFlows: new OpenFlows(rows, identities, catalog, sealed, sql, audit),
    flows: new FlowsService(rows, identities, identityRows, decoding, sql, log, limits, config),
  };
}

class Simulation {
  private readonly world: World;
  private readonly isAlone: boolean;
  private readonly kind: (typeof KINDS)[number];
  private readonly services: ReturnType<typeof servicesOn>;
  private secret = '';
  private accepted: string[] = [];
  private readonly admitted = new Set<string>();

  constructor(
    private readonly database: SteppedDatabase,
    scheduler: Scheduler,
    numbers: IterableIterator<number>,
  ) {
    this.world = new World(
      scheduler,
      numbers,
      () => true,
      () => database.settled(),
    );
    database.enter(this.world);
    this.isAlone = this.world.chance(0.2);
    this.kind = KINDS[this.world.pick(KINDS.length)] as (typeof KINDS)[number];
    this.services = servicesOn(new Sql(database.pool(true) as Pool));
  }

  async run(): Promise<string[]> {
    const { world, isAlone } = this;
    await this.start();
    const count = isAlone ? 1 : 2 + world.pick(BROWSERS_MAX - 1);
    const browsers = Array.from({ length: count }, (_, n) => `browser-${n}`);
    await world.run(async () => {
      await Promise.all(browsers.map((browser) => this.visit(browser)));
    }, STEPS_MAX);
    await this.judge();
    return world.faults;
  }

  /** Makes the flow that all browsers have the address of. */
  private async start(): Promise<void> {
    const { plain } = this.database;
    await plain.query('TRUNCATE forms.flows, forms.identities, forms.identifiers');
    const sql = new Sql(plain);
    const { openFlows, identityRows } = servicesOn(sql);
    if (this.kind === 'public') {
      this.secret = await openFlows.startPublic(schema, TTL);
    } else if (this.kind === 'profile') {
      const traits = ValidatedTraits.of(schema, { traits: { email: 'first@example.com' } });
      const { identity } = await sql.transaction((own) => identityRows.create(own, traits));
      this.secret = (await openFlows.startProfile(identity.id, TTL, CALL)).secret;
    } else {
      const options = { ...TTL, isBound: this.kind === 'bound' };
      this.secret = (await openFlows.startSignUp(schema, options, CALL)).secret;
    }
  }

  private async visit(browser: string): Promise<void> {
    const { world } = this;
    for (let n = this.isAlone ? TRIES_ALONE : TRIES; n > 0; n--) {
      await sleep(world.pick(300));
      if (await this.submit(browser)) return;
    }
  }

  /** Opens the form and sends it. @returns whether it has an answer */
  private async submit(browser: string): Promise<boolean> {
    const { world, services } = this;
    const email = `${browser}@example.com`;
    try {
      const flow = requireOpen(await services.openFlows.find(this.secret));
      await services.flows.requireBrowser(flow, browser);
      this.admitted.add(browser);
      await services.flows.submit(flow, schema, { json: { traits: { email } } });
      this.accepted.push(email);
      return true;
    } catch (error) {
      if (isBroken(error)) return false;
      const isOver = [FormsErrors.FLOW_USED, FormsErrors.FLOW_ELSEWHERE].some(
        (code) => error instanceof DomainError && error.definition === code,
      );
      if (!isOver) world.fault(`error: ${String(error)}`);
      return true;
    }
  }

  private async judge(): Promise<void> {
    const { world, accepted, admitted, kind, isAlone } = this;
    const { rows } = await this.database.plain.query<{ email: string; isResult: boolean }>(
      `SELECT i.traits->>'email' AS email, f.id IS NOT NULL AS "isResult"
         FROM forms.identities i LEFT JOIN forms.flows f ON f.result_identity_id = i.id`,
    );
    const used = rows.filter(({ isResult }) => isResult);
    const emails = used.map(({ email }) => email);
    if (accepted.length > 1) world.fault(`once: ${accepted.join(' and ')} were accepted`);
    const isKept = accepted.every((email) => emails.includes(email));
    if (!isKept) world.fault('whole: nothing was written');
    const isChanged = rows.some(({ email }) => email !== 'first@example.com');
    if (isChanged !== used.length > 0) world.fault('whole: it was written, or used, but not both');
    if (rows.length > 1) world.fault(`once: there are ${rows.length} identities`);
    if (kind === 'bound' && admitted.size > 1) world.fault('once: two browsers were let in');
    if (isAlone && used.length === 0) world.fault('usable: the only browser got no answer');
  }
}
