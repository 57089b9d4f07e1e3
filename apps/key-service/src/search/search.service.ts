import { type PartialSecret, parsePartialSecret } from '@gatehouse/crypto';
import {
  addressBeginsWith,
  type Endpoint,
  Endpoints,
  EventLog,
  KEY_EVENTS,
} from '@gatehouse/delivery';
import { isUuid } from '@gatehouse/kit/ids';
import { Sql } from '@gatehouse/kit/sql';
import { type LoggedKeyData } from '@gatehouse/schemas';
import { Injectable } from '@nestjs/common';
import { type SEARCH_KINDS } from '../api/enums.js';
import { NO_FILTER, statusOf } from '../store/keys/key.record.js';
import { KEY_KINDS, type KeyKind } from '../store/keys/key.types.js';
import { KeySearchRepository, type KeySummary } from '../store/keys/key-search.repository.js';
import { KeysRepository } from '../store/keys/keys.repository.js';
import { portalSessionView } from '../store/portal/portal-session.js';
import { PortalRepository } from '../store/portal/portal.repository.js';

type SearchKind = (typeof SEARCH_KINDS)[number];

export interface SearchHit {
  kind: SearchKind;
  id: string;
  /** What a person calls it. */
  title: string;
  detail: string;
  parent_id: string;
}

export interface SearchView {
  hits: SearchHit[];
  /** Whether a kind has more hits. */
  is_more: boolean;
}

const KINDS = {
  issued: 'issued_api_key',
  imported: 'imported_api_key',
  trust: 'trust_rule',
} as const satisfies Record<KeyKind, SearchKind>;

const { schema, sourceId } = KEY_EVENTS;

/** Finds records by an id, by a part of a secret, or by the beginning of a name, an actor id or an address. */
@Injectable()
export class SearchService {
  private readonly endpoints = new Endpoints(schema);
  private readonly log: EventLog;

  constructor(
    private readonly sql: Sql,
    private readonly keys: KeysRepository,
    private readonly names: KeySearchRepository,
    private readonly sessions: PortalRepository,
  ) {
    this.log = new EventLog(sql, schema);
  }

  /** @param limit of the hits of each kind */
  async search(text: string, limit: number): Promise<SearchView> {
    const kinds = await this.hitsOf(text, limit + 1);
    return {
      hits: kinds.flatMap((hits) => hits.slice(0, limit)),
      is_more: kinds.some((hits) => hits.length > limit),
    };
  }

  /** A list for each kind. */
  private hitsOf(text: string, max: number): Promise<SearchHit[][]> {
    const secret = parsePartialSecret(text);
    const end = parsePartialSecret(`…${text}`);
    if (secret) return Promise.all([this.keysBySecret(secret, max)]);
    const id = text.toLowerCase();
    if (isUuid(id)) {
      return Promise.all([
        this.keyById(id),
        this.actors(text, max),
        this.endpointById(id),
        this.sessionById(id),
        this.eventById(id),
      ]);
    }
    return Promise.all([
      ...(end ? [this.keysBySecret(end, max)] : []),
      ...KEY_KINDS.map((kind) => this.keysByName(kind, text, max)),
      this.actors(text, max),
      this.endpointsByUrl(text),
    ]);
  }

  private async keysBySecret(secret: PartialSecret, limit: number): Promise<SearchHit[]> {
    const filter = { ...NO_FILTER, secret };
    const keys = await this.keys.list({ kind: 'issued', filter, after: undefined, limit });
    return keys.map(keyHit);
  }

  private async keyById(id: string): Promise<SearchHit[]> {
    const key = await this.keys.find(id);
    return key ? [keyHit(key)] : [];
  }

  private async keysByName(kind: KeyKind, prefix: string, limit: number): Promise<SearchHit[]> {
    return (await this.names.findByName(kind, prefix, limit)).map(keyHit);
  }

  private async actors(prefix: string, limit: number): Promise<SearchHit[]> {
    const actorIds = await this.names.findActors(prefix, limit);
    return actorIds.map((id) => hit('actor', id, id));
  }

  private async endpointById(id: string): Promise<SearchHit[]> {
    const endpoint = await this.endpoints.find(this.sql, { id, sourceId });
    return endpoint ? [endpointHit(endpoint)] : [];
  }

  private async endpointsByUrl(prefix: string): Promise<SearchHit[]> {
    const endpoints = await this.endpoints.list(this.sql, [sourceId]);
    return endpoints.filter((each) => addressBeginsWith(each, prefix)).map(endpointHit);
  }

  private async sessionById(id: string): Promise<SearchHit[]> {
    const session = await this.sessions.find(id);
    if (!session) return [];
    const { state } = portalSessionView(session);
    return [hit('portal_session', id, session.actorId, state.toLowerCase())];
  }

  private async eventById(id: string): Promise<SearchHit[]> {
    const event = await this.log.find(id);
    if (event?.sourceId !== sourceId) return [];
    const { name, actor_id: actorId } = event.data as Partial<LoggedKeyData>;
    return [hit('event', id, event.type, event.createdAt.toISOString(), name, actorId)];
  }
}

function keyHit(key: KeySummary): SearchHit {
  const { kind, keyId, name, keyPreview, actorId } = key;
  const status = statusOf(key).replace('KEY_STATUS_', '').toLowerCase();
  return hit(KINDS[kind], keyId, name || keyPreview || keyId, status, actorId, keyPreview);
}

function endpointHit({ id, url, state }: Endpoint): SearchHit {
  return hit('webhook_endpoint', id, url, state);
}

function hit(
  kind: SearchKind,
  id: string,
  title: string,
  ...details: (string | undefined)[]
): SearchHit {
  return { kind, id, title, detail: details.filter(Boolean).join(' · '), parent_id: '' };
}
