import { Injectable } from '@nestjs/common';
import { AuditHistory } from '../events/audit/audit-history.js';
import { importedKeyView, issuedKeyView, trustRuleView } from '../keys/key.view.js';
import { KeysService } from '../keys/keys.service.js';
import { UsageQueries } from '../keys/usage-reports/usage-queries.js';
import { filterOfActor, type KeyRecord } from '../store/keys/key.record.js';
import { leaverView } from '../store/keys/leaver.js';
import { LinksRepository, type PersonOfActor } from '../store/people/links.repository.js';
import { portalSessionView } from '../store/portal/portal-session.js';
import { PortalRepository } from '../store/portal/portal.repository.js';
import { changeOf, stateReasonOf } from './state-reason.js';

const HOUR_MS = 3_600_000;
const KEYS_PAGE = { pageSize: 100, pageToken: '' };
/** All outcomes of 30 days, or of 24 hours. */
const USAGE_PAGE = { pageSize: 1_000, pageToken: '' };

/** Numbers of verifications by their outcome, as decimal numbers. */
type Outcomes = Record<string, string>;

export type ActorView = Awaited<ReturnType<ActorService['view']>>;

/** Everything about one actor. An actor is no record, so an unknown one has nothing. */
@Injectable()
export class ActorService {
  constructor(
    private readonly keys: KeysService,
    private readonly history: AuditHistory,
    private readonly usage: UsageQueries,
    private readonly sessions: PortalRepository,
    private readonly links: LinksRepository,
  ) {}

  async view(actorId: string) {
    const filter = filterOfActor(actorId);
    const [issued, imported, trust, tokens, usage, sessions, people] = await Promise.all([
      this.keys.page('issued', filter, KEYS_PAGE),
      this.keys.page('imported', filter, KEYS_PAGE),
      this.keys.page('trust', filter, KEYS_PAGE),
      this.history.tokensOf(actorId),
      this.usageOf(actorId),
      this.sessions.listWorking(actorId),
      this.links.peopleOf(actorId),
    ]);
    const changes = [...issued.rows, ...imported.rows, ...trust.rows].flatMap(changeOf);
    const origins = new Map(
      (await this.history.originsOf(changes)).map((origin) => [origin.keyId, origin]),
    );
    const explain = (key: KeyRecord) => ({
      state_reason: stateReasonOf(key, origins.get(key.keyId)),
    });
    return {
      actor_id: actorId,
      issued_api_keys: issued.rows.map((key) => ({ ...issuedKeyView(key), ...explain(key) })),
      next_issued_page_token: issued.nextPageToken,
      imported_api_keys: imported.rows.map((key) => ({ ...importedKeyView(key), ...explain(key) })),
      next_imported_page_token: imported.nextPageToken,
      trust_rules: trust.rows.map((key) => ({ ...trustRuleView(key), ...explain(key) })),
      next_trust_page_token: trust.nextPageToken,
      tokens,
      usage,
      portal_sessions: sessions.map(portalSessionView),
      people: people.map(personView),
    };
  }

  /** One query after the other: a process runs few of them at once. */
  private async usageOf(actorId: string) {
    const last_24_hours = await this.outcomesOf(actorId, 'hour', 24 * HOUR_MS);
    const last_30_days = await this.outcomesOf(actorId, 'day', 30 * 24 * HOUR_MS);
    return { last_24_hours, last_30_days };
  }

  private async outcomesOf(
    actorId: string,
    interval: 'hour' | 'day',
    rangeMs: number,
  ): Promise<Outcomes> {
    const toMs = Date.now();
    const range = { interval, fromMs: toMs - rangeMs, toMs };
    const query = { ...range, groupBy: ['outcome'], equal: { actor: actorId } } as const;
    const { rows } = await this.usage.page(query, USAGE_PAGE);
    const sums: Outcomes = {};
    for (const { outcome = '', count } of rows) {
      sums[outcome] = String(BigInt(sums[outcome] ?? 0) + BigInt(count));
    }
    return sums;
  }
}

function personView(person: PersonOfActor) {
  const { tenant, product, state, isCurrent: is_current, stateTime: state_time } = person;
  const { cause: source, ...ids } = leaverView(person);
  return { source, ...ids, tenant, product, state, is_current, state_time };
}
