/** One search for the records of all services. */
import { GatehouseError } from '@gatehouse/client';
import { type Html, markup } from '@gatehouse/pages';
import { pathWith } from '../parts/table.js';
import { link, section, written } from '../parts/text.js';
import { type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages, type Redirect } from '../site/pages.js';
import { searchTexts } from '../texts/search.texts.js';
import { type Terms } from '../texts/terms.js';

const TEXT_MAX = 255;
/** What the records of each kind are called together. */
const NAMES = {
  issued_api_key: 'keys',
  imported_api_key: 'keys',
  trust_rule: 'keys',
  actor: 'people',
  portal_session: 'portalSessions',
  directory: 'directories',
  user: 'users',
  group: 'groups',
  run: 'runs',
  scim_request: 'requests',
  setup_link: 'setupLinks',
  webhook_endpoint: 'endpoints',
  event: 'events',
  identity: 'identities',
  schema: 'schemas',
  flow: 'forms',
} as const satisfies Readonly<Record<string, keyof Terms>>;

interface Hit {
  readonly kind: keyof typeof NAMES;
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly parent_id: string;
}

interface Found {
  readonly hits: readonly Hit[];
  readonly is_more: boolean;
}

/** Their names are in the paths of their events and endpoints. */
const SERVICES = [
  { name: 'keys', scope: 'keys:read' },
  { name: 'directories', scope: 'dsync:read' },
  { name: 'identities', scope: 'forms:read' },
] as const;
type Service = (typeof SERVICES)[number];

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
    return { service, ...(await gatehouse[service.name].search({ query })) };
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
  const hasHits = answers.some(({ hits }) => hits.length > 0);
  const failures = answers.flatMap(({ service: { name }, error }) =>
    error === undefined
      ? []
      : markup`<p class="fault">${texts.failed(texts[name])} ${error.message}</p>`,
  );
  return {
    title: query === '' ? texts.search : `${texts.search}: ${query}`,
    content: markup`<div id="hits">${failures}
${answers.map((answer) => groups(visit, answer))}
${answers.some((answer) => answer.is_more) && markup`<p>${texts.more}</p>`}
${!hasHits && markup`<p class="empty">${query === '' ? '' : texts.none} ${texts.hint}</p>`}</div>`,
  };
}

/** The hits of a service by what they are, in the order of its answer. */
function groups({ frame }: ConsoleVisit, { service, hits }: Answer): Html[] {
  const texts = searchTexts(frame.language);
  const item = (hit: Hit): Html => {
    const path = pathOf(hit, service);
    const title = written(hit.title);
    return markup`<li>${path === undefined ? title : link(frame, path, title)} <small>${written(hit.detail)}</small></li>
`;
  };
  return [...new Set(hits.map(({ kind }) => NAMES[kind]))].map((name) =>
    section(
      texts[name],
      markup`<ul class="hits">${hits.filter(({ kind }) => NAMES[kind] === name).map(item)}</ul>`,
    ),
  );
}

/** The page of a record; undefined if it has none. */
function pathOf({ kind, id, title, parent_id: parent }: Hit, { name }: Service) {
  const part = encodeURIComponent(id);
  switch (NAMES[kind]) {
    case 'keys':
      return `/keys/${part}`;
    case 'people':
      return pathWith('/people', { id });
    case 'portalSessions':
      return pathWith('/people', { id: title });
    case 'directories':
      return `/directories/${part}`;
    case 'setupLinks':
      return pathWith('/directories/links', { directory_id: parent });
    case 'endpoints':
      return `/webhooks/${parent || name}/${part}`;
    case 'events':
      return `/events/${parent || name}/${part}`;
    case 'identities':
    case 'schemas':
      return `/forms/${NAMES[kind]}/${part}`;
    case 'forms':
      return undefined;
    default:
      return `/directories/${parent}/${NAMES[kind]}/${part}`;
  }
}
