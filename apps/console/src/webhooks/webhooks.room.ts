/** The endpoints that receive events, and what an operator does with them. */
import { markup } from '@gatehouse/pages';
import { confirmation, selectField } from '../parts/forms.js';
import { refusalOf } from '../parts/refusal.js';
import { link, shownOnce } from '../parts/text.js';
import { duration } from '../parts/time.js';
import { type Page } from '../site/console-frame.js';
import { type ConsoleVisit, type Pages, type Redirect } from '../site/pages.js';
import { webhooksTexts } from '../texts/webhooks.texts.js';
import { endpointPage, titleOf } from './endpoint.page.js';
import { endpointsPage } from './endpoints.page.js';
import { replayPage, windowOf } from './replay.page.js';
import { type Endpoint, endpointPath, requireId, sourceOf } from './webhook-source.js';

const PATH = '/webhooks';
const ENDPOINT = `${PATH}/:source/:id`;
/** How many seconds the old secret signs too; a day by default. */
const OVERLAPS = [86_400, 604_800, 3_600, 0];

export function webhooksRoom(pages: Pages): void {
  pages.show(PATH, endpointsPage);
  pages.show(ENDPOINT, (visit) => endpointPage(visit));
  pages.act(`${ENDPOINT}/test`, async (visit) => {
    const { endpoints, id } = named(visit);
    return endpointPage(visit, await endpoints.test({ id }));
  });
  for (const act of ['pause', 'resume'] as const) {
    pages.act(`${ENDPOINT}/${act}`, async (visit) => {
      const { endpoints, id, path } = named(visit);
      await endpoints[act]({ id });
      return { path, done: 'saved' };
    });
  }
  pages.show(`${ENDPOINT}/replay`, (visit) => replayPage(visit));
  pages.act(`${ENDPOINT}/replay`, replay);
  pages.show(`${ENDPOINT}/rotate`, rotatePage);
  pages.actOnce(
    `${ENDPOINT}/rotate`,
    () => '/audit?type=webhook_endpoint.secret_rotated',
    async (visit, form) => {
      const { endpoints, id } = named(visit);
      const overlap = form.get('overlap') ?? '0';
      return secretPage(visit, await endpoints.rotateSecret({ id, overlap }));
    },
  );
}

/** The endpoint that a path names. */
function named(visit: ConsoleVisit) {
  const source = sourceOf(visit);
  const id = requireId(visit.params['id']);
  return { ...source, id, path: endpointPath(source.id, id) };
}

async function replay(visit: ConsoleVisit, form: URLSearchParams): Promise<Page | Redirect> {
  const { events, id, path } = named(visit);
  try {
    const { endpoints } = await events.replay({ endpoint_id: id, ...windowOf(form) });
    return { path, done: endpoints === 0 ? 'nothing-sent' : 'sent' };
  } catch (error) {
    return replayPage(visit, form, refusalOf(error));
  }
}

async function rotatePage(visit: ConsoleVisit): Promise<Page> {
  const { frame } = visit;
  const texts = webhooksTexts(frame.language);
  const { endpoints, id, path } = named(visit);
  const choices = OVERLAPS.map((each) => [String(each), duration(frame, each)] as const);
  return confirmation(frame, {
    section: 'webhooks',
    trail: trailOf(visit, await endpoints.get({ id })),
    lead: markup`<p>${texts.rotateText}</p>`,
    content: selectField({ name: 'overlap', label: texts.overlap, choices }),
    path: `${path}/rotate`,
    button: texts.rotateSecret,
  });
}

function secretPage(visit: ConsoleVisit, endpoint: Endpoint & { secret: string }): Page {
  const { frame } = visit;
  const texts = webhooksTexts(frame.language);
  const path = endpointPath(sourceOf(visit).id, endpoint.id);
  return {
    title: titleOf(frame, endpoint),
    section: 'webhooks',
    trail: [{ path: PATH, text: texts.endpoints }],
    content: markup`${shownOnce(frame, texts.secret, endpoint.secret)}
<p>${link(frame, path, titleOf(frame, endpoint))}</p>`,
  };
}

function trailOf(visit: ConsoleVisit, endpoint: Endpoint) {
  const { endpoints: text } = webhooksTexts(visit.frame.language);
  return [
    { path: PATH, text },
    { path: named(visit).path, text: titleOf(visit.frame, endpoint) },
  ];
}
