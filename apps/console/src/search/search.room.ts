/** One search for the records of all services. */
import { type Gatehouse, GatehouseError } from '@gatehouse/client';
import { type Html, markup } from '@gatehouse/pages';
import { type ControlScope } from '@gatehouse/schemas';
import { pathWith } from '../parts/table.js';
import { link, section, written } from '../parts/text.js';
import { type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages, type Redirect } from '../site/pages.js';
import { type HitKind, searchTexts } from '../texts/search.texts.js';
import { siteTexts } from '../texts/site.texts.js';

const TEXT_MAX = 255;

interface Hit {
  readonly kind: HitKind;
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly parent_id: string;
}

interface Found {
  readonly hits: readonly Hit[];
  readonly is_more: boolean;
}

interface Service {
  /** In the paths of its events and endpoints. */
  readonly name: 'keys' | 'directories' | 'identities';
  readonly scope: ControlScope;
  readonly search: (gatehouse: Gatehouse, query: string) => Promise<Found>;
}

const SERVICES: readonly Service[] = [
  {
    name: 'keys',
    scope: 'keys:read',
    search: ({ keys }, query) => keys.search({ query }),
  },
  {
    name: 'directories',
    scope: 'dsync:read',
    search: ({ directories }, query) => directories.search({ query }),
  },
  {
    name: 'identities',
    scope: 'forms:read',
    search: ({ identities }, query) => identities.search({ query }),
  },
];

/** The hits of a service, or its error. */
type Answer = Found & { readonly service: Service; readonly error?: GatehouseError };

export function searchRoom(pages: Pages): void {
  pages.show('/search', async (visit) => {
    const query = (visit.query.get('q') ?? '').trim().slice(0, TEXT_MAX);
    const answers =
      query === ''
        ? []
        : await Promise.all(
            SERVICES.filter(({ scope }) => can(visit, scope)).map((service) =>
              ask(visit, service, query),
            ),
          );
    const only = visit.query.has('list') ? undefined : onlyHit(answers, query);
    return only ?? hitsPage(visit, query, answers);
  });
}

async function ask({ gatehouse }: ConsoleVisit, service: Service, query: string): Promise<Answer> {
  try {
    return { service, ...(await service.search(gatehouse, query)) };
  } catch (error) {
    if (!(error instanceof GatehouseError) || error.status === 401) throw error;
    return { service, hits: [], is_more: false, error };
  }
}

/** The page of the only record that was found, if the query is its id. */
function onlyHit(answers: readonly Answer[], query: string): Redirect | undefined {
  const found = answers.flatMap(({ service, hits }) => hits.map((hit) => ({ service, hit })));
  const [first, second] = found;
  const isSure = answers.every(({ error }) => error === undefined) && second === undefined;
  if (!first || !isSure || first.hit.id.toLowerCase() !== query.toLowerCase()) return undefined;
  const path = pathOf(first.hit, first.service);
  return path === undefined ? undefined : { path };
}

function hitsPage(visit: ConsoleVisit, query: string, answers: readonly Answer[]): Page {
  const { frame } = visit;
  const texts = searchTexts(frame.language);
  const { search, ...site } = siteTexts(frame.language);
  const hasHits = answers.some(({ hits }) => hits.length > 0);
  const failures = answers.flatMap(({ service: { name }, error }) =>
    error === undefined
      ? []
      : markup`<p class="fault">${texts.failed(site[name === 'identities' ? 'forms' : name])} ${error.message}</p>`,
  );
  return {
    title: query === '' ? search : texts.title(query),
    content: markup`<div id="hits">${failures}
${answers.map((answer) => groups(visit, answer))}
${answers.some((answer) => answer.is_more) && markup`<p>${texts.more}</p>`}
${!hasHits && markup`<p class="empty">${query === '' ? '' : texts.none} ${texts.hint}</p>`}</div>`,
  };
}

/** The hits of a service by kind, in the order of its answer. */
function groups({ frame }: ConsoleVisit, { service, hits }: Answer): Html[] {
  const texts = searchTexts(frame.language);
  const item = (hit: Hit): Html => {
    const path = pathOf(hit, service);
    const title = written(hit.title);
    return markup`<li>${path === undefined ? title : link(frame, path, title)} <small>${written(hit.detail)}</small></li>
`;
  };
  return [...new Set(hits.map(({ kind }) => kind))].map((kind) =>
    section(
      texts.kinds[kind],
      markup`<ul class="hits">${hits.filter((hit) => hit.kind === kind).map(item)}</ul>`,
    ),
  );
}

/** The page of a record; undefined if it has none. */
function pathOf({ kind, id, title, parent_id: parent }: Hit, { name }: Service) {
  const source = parent || name;
  const part = encodeURIComponent(id);
  switch (kind) {
    case 'issued_api_key':
    case 'imported_api_key':
    case 'trust_rule':
      return `/keys/${part}`;
    case 'actor':
      return pathWith('/people', { id });
    case 'portal_session':
      return pathWith('/people', { id: title });
    case 'directory':
      return `/directories/${part}`;
    case 'user':
    case 'group':
    case 'run':
      return `/directories/${parent}/${kind}s/${part}`;
    case 'scim_request':
      return `/directories/${parent}/requests/${part}`;
    case 'webhook_endpoint':
      return `/webhooks/${source}/${part}`;
    case 'event':
      return `/events/${source}/${part}`;
    case 'setup_link':
      return pathWith('/directories/links', { directory_id: parent });
    case 'identity':
      return `/forms/identities/${part}`;
    case 'schema':
      return `/forms/schemas/${part}`;
    default:
      return undefined;
  }
}
