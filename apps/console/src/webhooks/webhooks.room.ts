/** The endpoints that receive events, and what an operator does with them. */
import { markup } from '@gatehouse/pages';
import { confirmation, selectField } from '../parts/forms.js';
import { refusalOf } from '../parts/refusal.js';
import { link, number, shownOnce } from '../parts/text.js';
import { duration } from '../parts/time.js';
import { type Page } from '../site/console-frame.js';
import { type ConsoleVisit, type Pages, type Redirect } from '../site/pages.js';
import { webhooksTexts } from '../texts/webhooks.texts.js';
import { endpointForm, fieldsOf, formOf } from './endpoint.form.js';
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
  pages.show(`${PATH}/:source/new`, (visit) => newPage(visit));
  pages.actOnce(`${PATH}/:source/new`, () => PATH, create);
  pages.show(ENDPOINT, (visit) => endpointPage(visit));
  pages.act(`${ENDPOINT}/test`, async (visit) => {
    const { endpoints, id } = named(visit);
    return endpointPage(visit, await endpoints.test({ id }));
  });
  pages.act(`${ENDPOINT}/pause`, async (visit) => {
    const { endpoints, id, path } = named(visit);
    await endpoints.pause({ id });
    return { path, done: 'endpoint-paused' };
  });
  pages.act(`${ENDPOINT}/resume`, async (visit) => {
    const { endpoints, id, path } = named(visit);
    await endpoints.resume({ id });
    return { path, done: 'endpoint-resumed' };
  });
  pages.show(`${ENDPOINT}/edit`, (visit) => editPage(visit));
  pages.act(`${ENDPOINT}/edit`, edit);
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
  pages.show(`${ENDPOINT}/delete`, deletePage);
  pages.act(`${ENDPOINT}/delete`, async (visit) => {
    const { endpoints, id } = named(visit);
    await endpoints.delete({ id });
    return { path: PATH, done: 'endpoint-deleted' };
  });
}

/** The endpoint that a path names. */
function named(visit: ConsoleVisit) {
  const source = sourceOf(visit);
  const { endpoints, events } = source;
  const id = requireId(visit.params['id']);
  return { source, endpoints, events, id, path: endpointPath(source.id, id) };
}

function newPage(visit: ConsoleVisit, form = new URLSearchParams(), fault?: string): Page {
  const { title, new: text } = webhooksTexts(visit.frame.language);
  const source = sourceOf(visit);
  const path = `${PATH}/${source.id}/new`;
  return {
    ...endpointForm(visit.frame, source, { path, cancel: PATH, form, fault }),
    title: text,
    trail: [{ path: PATH, text: title }],
  };
}

async function create(visit: ConsoleVisit, form: URLSearchParams): Promise<Page> {
  try {
    return secretPage(visit, await sourceOf(visit).endpoints.create(fieldsOf(form)));
  } catch (error) {
    return newPage(visit, form, refusalOf(error));
  }
}

async function editPage(
  visit: ConsoleVisit,
  sent?: URLSearchParams,
  fault?: string,
): Promise<Page> {
  const { source, endpoints, id, path } = named(visit);
  const endpoint = await endpoints.get({ id });
  const form = sent ?? formOf(endpoint);
  return {
    ...endpointForm(visit.frame, source, { path: `${path}/edit`, cancel: path, form, fault }),
    title: webhooksTexts(visit.frame.language).edit,
    trail: trailOf(visit, endpoint),
  };
}

async function edit(visit: ConsoleVisit, form: URLSearchParams): Promise<Page | Redirect> {
  const { endpoints, id, path } = named(visit);
  try {
    await endpoints.update({ id, ...fieldsOf(form) });
    return { path, done: 'endpoint-changed' };
  } catch (error) {
    return editPage(visit, form, refusalOf(error));
  }
}

async function replay(visit: ConsoleVisit, form: URLSearchParams): Promise<Page | Redirect> {
  const { events, id, path } = named(visit);
  try {
    const { endpoints } = await events.replay({ endpoint_id: id, ...windowOf(form) });
    return { path, done: endpoints === 0 ? 'replay-empty' : 'replay-started' };
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
    title: texts.rotate,
    section: 'webhooks',
    trail: trailOf(visit, await endpoints.get({ id })),
    consequences: markup`<p>${texts.rotateText}</p>`,
    content: selectField({ name: 'overlap', label: texts.overlap, choices }),
    path: `${path}/rotate`,
    button: texts.rotate,
    cancel: path,
  });
}

function secretPage(visit: ConsoleVisit, endpoint: Endpoint & { secret: string }): Page {
  const { frame } = visit;
  const texts = webhooksTexts(frame.language);
  const path = endpointPath(sourceOf(visit).id, endpoint.id);
  return {
    title: titleOf(frame, endpoint),
    section: 'webhooks',
    trail: [{ path: PATH, text: texts.title }],
    content: markup`${shownOnce(frame, texts.secret, endpoint.secret)}
<p>${link(frame, path, titleOf(frame, endpoint))}</p>`,
  };
}

async function deletePage(visit: ConsoleVisit): Promise<Page> {
  const { frame } = visit;
  const texts = webhooksTexts(frame.language);
  const { endpoints, id, path } = named(visit);
  const [endpoint, { pending, dead }] = await Promise.all([
    endpoints.get({ id }),
    endpoints.status({ id }),
  ]);
  return confirmation(frame, {
    title: texts.delete,
    section: 'webhooks',
    trail: trailOf(visit, endpoint),
    consequences: markup`<p>${texts.deleteText(number(frame, pending), number(frame, dead))}</p>`,
    path: `${path}/delete`,
    button: texts.delete,
    cancel: path,
  });
}

function trailOf(visit: ConsoleVisit, endpoint: Endpoint) {
  const { title } = webhooksTexts(visit.frame.language);
  return [
    { path: PATH, text: title },
    { path: named(visit).path, text: titleOf(visit.frame, endpoint) },
  ];
}
