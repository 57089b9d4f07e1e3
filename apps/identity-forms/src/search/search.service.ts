import { addressBeginsWith, Endpoints, EventLog, IDENTITY_EVENTS } from '@gatehouse/delivery';
import { identifierKeys, type JsonObject } from '@gatehouse/form-decoder';
import { Sql } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { stateOf } from '../flows/flow-state.js';
import { FlowsRepository } from '../flows/flows.repository.js';
import { isUuid } from '../http/uuid.js';
import { IdentitiesRepository } from '../identities/identities.repository.js';
import { identifierDigest } from '../identities/identifier-digest.js';
import { type Identity } from '../identities/identity.types.js';
import { SchemaCatalog } from '../schemas/schema-catalog.js';
import { SchemasRepository } from '../schemas/schemas.repository.js';
import { type SearchHit, type SearchHits } from './search.dto.js';

const { schema, sourceId } = IDENTITY_EVENTS;
const TITLE_CHARACTERS_MAX = 255;

/** Finds what administrators look for by an id or a text. */
@Injectable()
export class SearchService {
  private readonly events: EventLog;
  private readonly endpoints = new Endpoints(schema);

  constructor(
    private readonly sql: Sql,
    private readonly catalog: SchemaCatalog,
    private readonly identities: IdentitiesRepository,
    private readonly schemas: SchemasRepository,
    private readonly flows: FlowsRepository,
  ) {
    this.events = new EventLog(sql, schema);
  }

  /** @param limit the most hits of each kind */
  async search(text: string, limit: number): Promise<SearchHits> {
    const id = isUuid(text) ? text.toLowerCase() : undefined;
    const kinds = await Promise.all([
      this.identitiesOf(text, id, limit + 1),
      this.schemasOf(text, limit + 1),
      id === undefined ? [] : this.flowOf(id),
      id === undefined ? [] : this.eventOf(id),
      this.endpointsOf(text, id),
    ]);
    return {
      hits: kinds.flatMap((hits) => hits.slice(0, limit)),
      is_more: kinds.some((hits) => hits.length > limit),
    };
  }

  /** Identifiers are stored as digests, so only whole ones are found. */
  private async identitiesOf(
    text: string,
    id: string | undefined,
    limit: number,
  ): Promise<SearchHit[]> {
    const keys = identifierKeys(text);
    const found = await this.identities.search(id ?? null, keys.map(identifierDigest), limit);
    return Promise.all(
      found.map(async (identity) => {
        const title = (await this.identifierOf(identity, keys)) ?? identity.id;
        return hit('identity', identity.id, title, identity.schemaId);
      }),
    );
  }

  /** The identifier with one of the keys, else the first; never a secret. */
  private async identifierOf(
    { schemaId, schemaVersion, traits }: Identity,
    keys: readonly string[],
  ): Promise<string | undefined> {
    const { plan } = await this.catalog.get(schemaId, schemaVersion);
    const shown = plan.withoutSecrets({ traits: traits as JsonObject });
    const identifiers = plan.identifiersOf(shown);
    const searched = identifiers.find(({ value }) => keys.includes(value));
    return (searched ?? identifiers[0])?.text;
  }

  private async schemasOf(text: string, limit: number): Promise<SearchHit[]> {
    const found = await this.schemas.search(text, limit);
    return found.map(({ id, title, version, isPublic }) =>
      hit('schema', id, title || id, `version ${version}${isPublic ? ' · public' : ''}`),
    );
  }

  private async flowOf(id: string): Promise<SearchHit[]> {
    const flow = await this.flows.findById(id);
    return flow ? [hit('flow', id, flow.kind, `${stateOf(flow)} · ${flow.schemaId}`)] : [];
  }

  private async eventOf(id: string): Promise<SearchHit[]> {
    const event = await this.events.find(id);
    if (event?.sourceId !== sourceId) return [];
    return [hit('event', id, event.type, event.createdAt.toISOString())];
  }

  private async endpointsOf(text: string, id: string | undefined): Promise<SearchHit[]> {
    const endpoints = await this.endpoints.list(this.sql, [sourceId]);
    return endpoints
      .filter((each) => each.id === id || addressBeginsWith(each, text))
      .map((each) => hit('webhook_endpoint', each.id, each.url, each.state));
  }
}

function hit(kind: SearchHit['kind'], id: string, title: string, detail: string): SearchHit {
  const shown = [...title].slice(0, TITLE_CHARACTERS_MAX).join('');
  return { kind, id, title: shown, detail, parent_id: '' };
}
