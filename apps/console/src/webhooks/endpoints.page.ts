/** The endpoints of all services in one list, those first that need a person. */
import { markup } from '@gatehouse/pages';
import { filterForm, selectField } from '../parts/forms.js';
import { pathWith, table } from '../parts/table.js';
import { badge, link, written } from '../parts/text.js';
import { type Page } from '../site/console-frame.js';
import { type ConsoleVisit } from '../site/pages.js';
import { Services } from '../site/services.js';
import { webhooksTexts } from '../texts/webhooks.texts.js';
import { stateBadge, STATES, stateSentence } from './endpoint-state.js';
import { type Endpoint, endpointPath, endpointsOf } from './webhook-source.js';

const LENGTH = 50;
const OFFSET_MAX = 1_000_000;

interface Listed {
  readonly endpoint: Endpoint;
  readonly source: string;
  /** Of an endpoint of a directory. */
  readonly directory?: { readonly name: string; readonly isOff: boolean };
}

export async function endpointsPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, query } = visit;
  const texts = webhooksTexts(frame.language);
  const state = STATES.find((each) => each === query.get('state'));
  const states = state === undefined ? STATES : [state];
  const offset = Math.min(Math.max(Math.trunc(Number(query.get('offset'))) || 0, 0), OFFSET_MAX);
  const services = new Services(visit);
  const [ofKeys, ofIdentities, ...ofDirectories] = await Promise.all([
    offset === 0 ? endpointsOf(services, 'keys') : [],
    offset === 0 ? endpointsOf(services, 'identities') : [],
    ...states.map((each) => listDirectories(services, each, offset)),
  ]);
  const ofServices: Listed[] = [...ofKeys, ...ofIdentities];
  const rows = states.flatMap((each, index) => [
    ...ofServices.filter(({ endpoint }) => endpoint.state === each),
    ...(ofDirectories[index]?.slice(0, LENGTH) ?? []),
  ]);
  const longer = states.find((_, index) => (ofDirectories[index]?.length ?? 0) > LENGTH);
  const choices = STATES.map((each) => [each, texts.states[each]] as const);
  return {
    title: texts.endpoints,
    section: 'webhooks',
    content: markup`${filterForm(
      frame,
      '/webhooks',
      selectField({
        name: 'state',
        label: texts.state,
        value: state,
        choices: [['', texts.all], ...choices],
      }),
    )}
${services.missing}
${table(frame, {
  caption: texts.endpoints,
  rows,
  empty: texts.empty,
  next: longer && pathWith('/webhooks', { state: longer, offset: String(offset + LENGTH) }),
  columns: [
    {
      head: texts.address,
      cell: ({ endpoint, source }) =>
        link(frame, endpointPath(source, endpoint.id), written(endpoint.url)),
    },
    {
      head: texts.source,
      cell: ({ source, directory }) =>
        directory
          ? link(frame, `/directories/${source}`, written(directory.name || source))
          : texts[source as 'keys'],
    },
    {
      head: texts.state,
      cell: ({ endpoint, directory }) => [
        stateBadge(frame, endpoint),
        directory?.isOff && [' ', badge('quiet', texts.directoryOff)],
      ],
    },
    { head: texts.reason, cell: ({ endpoint }) => stateSentence(frame, endpoint) },
  ],
})}`,
  };
}

/** One more than a page has, if there is a next one. */
function listDirectories(
  services: Services,
  state: Endpoint['state'],
  pageOffset: number,
): Promise<readonly Listed[]> {
  return services.rowsOf('directories', async ({ directories: { webhookEndpoints } }) => {
    const listed = await webhookEndpoints.listAll({ state, pageOffset, pageLimit: LENGTH + 1 });
    return listed.map(({ directory_id: source, directory_name: name, enabled, ...endpoint }) => ({
      endpoint,
      source,
      directory: { name, isOff: !enabled },
    }));
  });
}
