/** What the provider of a directory sent, and what was answered. */
import { type ScimRequest, type ScimRequestDetails } from '@gatehouse/client';
import { type Html, markup } from '@gatehouse/pages';
import { actButton, filterForm, textField } from '../parts/forms.js';
import { facts, pathWith, table } from '../parts/table.js';
import { badge, code, link, section, written } from '../parts/text.js';
import { duration, time } from '../parts/time.js';
import { type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages } from '../site/pages.js';
import { requestsTexts } from '../texts/directory-requests.texts.js';
import { directoryOf, directoryPage, idOf, listing, PATH } from './directory-page.js';
import { filtersOf } from './lists.js';

const ROWS = 50;
/** How long bodies are kept: while a provider is set up again. */
const CAPTURE_SECONDS = 4 * 3_600;

export function requestPages(pages: Pages): void {
  const listOf = (visit: ConsoleVisit) => `${PATH}/${idOf(visit)}/requests`;
  pages.show(`${PATH}/:id/requests`, listPage);
  pages.act(`${PATH}/:id/requests/capture`, async (visit) => {
    const input = { directoryId: idOf(visit), duration: `${CAPTURE_SECONDS}s` };
    await visit.gatehouse.directories.requests.startCapture(input);
    return { path: listOf(visit), done: 'saved' };
  });
  pages.act(`${PATH}/:id/requests/stop-capture`, async (visit) => {
    await visit.gatehouse.directories.requests.stopCapture({ directoryId: idOf(visit) });
    return { path: listOf(visit), done: 'saved' };
  });
  pages.show(`${PATH}/:id/requests/:request`, requestPage);
}

async function listPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse } = visit;
  const directoryId = idOf(visit);
  const path = `${PATH}/${directoryId}/requests`;
  const texts = requestsTexts(frame.language);
  const { after, ...filters } = filtersOf(visit, ['status', 'resource_id', 'after']);
  const input = { directoryId, after, ...filters, limit: ROWS + 1 };
  const [directory, status, found] = await Promise.all([
    directoryOf(visit),
    gatehouse.directories.status({ id: directoryId }),
    gatehouse.directories.requests.list(input),
  ]);
  const rows = found.slice(0, ROWS);
  const next = pathWith(path, { ...filters, after: rows.at(-1)?.id });
  const list = table<ScimRequest>(frame, {
    caption: texts.title,
    rows,
    next: found.length > ROWS ? next : undefined,
    empty: markup`<p>${texts.empty}</p><p>${code(directory.scim.endpoint)}</p>`,
    columns: [
      {
        head: texts.time,
        cell: (each) => link(frame, `${path}/${each.id}`, time(frame, each.time)),
      },
      { head: texts.status, cell: statusBadge },
      { head: texts.request, cell: requestLine },
      { head: texts.detail, cell: ({ detail }) => detail !== null && written(detail) },
      { head: texts.client, cell: (each) => each.user_agent !== null && written(each.user_agent) },
    ],
  });
  return directoryPage(visit, directory, {
    tab: 'requests',
    content: markup`${filterForm(frame, path, [
      textField({
        name: 'status',
        label: texts.statusFilter,
        value: filters.status,
      }),
      textField({ name: 'resource_id', label: texts.resource, value: filters.resource_id }),
    ])}
${can(visit, 'dsync:admin') && captureForm(visit, status.requests?.capture_until)}
<div id="requests" data-live="10">${list}</div>`,
  });
}

function captureForm(visit: ConsoleVisit, until: string | null | undefined): Html {
  const { frame } = visit;
  const texts = requestsTexts(frame.language);
  const path = `${PATH}/${idOf(visit)}/requests`;
  if (until) {
    return markup`<div class="acts"><span>${texts.capturing} ${time(frame, until)}</span>${actButton(
      frame,
      {
        path: `${path}/stop-capture`,
        button: texts.stop,
      },
    )}</div>`;
  }
  return markup`<div class="acts">${actButton(frame, {
    path: `${path}/capture`,
    button: texts.capture(duration(frame, CAPTURE_SECONDS)),
  })}</div>`;
}

function statusBadge({ status }: ScimRequest): Html {
  const kind = status < 400 ? 'good' : status === 404 ? 'quiet' : 'bad';
  return badge(kind, String(status));
}

function requestLine({ method, path, filter }: ScimRequest): Html {
  return code(`${method} ${path}${filter === null ? '' : `?filter=${filter}`}`);
}

async function requestPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse, params } = visit;
  const directoryId = idOf(visit);
  const texts = requestsTexts(frame.language);
  const [directory, request] = await Promise.all([
    directoryOf(visit),
    gatehouse.directories.requests.get({ directoryId, id: params['request'] ?? '' }),
  ]);
  const { detail, scim_type: type, bodies } = request;
  return directoryPage(visit, directory, {
    title: `${request.method} ${request.path}`,
    tab: 'requests',
    content: markup`<p class="lead">${statusBadge(request)} – ${
      request.status < 400 ? texts.accepted : texts.refused
    } ${type !== null && code(type)} ${detail !== null && written(detail)}</p>
${requestFacts(visit, request)}
${bodies === null ? markup`<p class="empty">${texts.noBodies}</p>` : bodyListings(visit, bodies)}`,
  });
}

function requestFacts(visit: ConsoleVisit, request: ScimRequestDetails): Html {
  const { frame } = visit;
  const texts = requestsTexts(frame.language);
  const { resource_id: id, token_id: token } = request;
  const path = `${PATH}/${idOf(visit)}`;
  const kind = request.path.toLowerCase().startsWith('/groups') ? 'groups' : 'users';
  return facts([
    [texts.request, requestLine(request)],
    [texts.time, [time(frame, request.time), ` (${request.duration_ms} ms)`]],
    [texts.client, request.user_agent === null ? undefined : written(request.user_agent)],
    [texts.resource, id && link(frame, `${path}/${kind}/${encodeURIComponent(id)}`, code(id))],
    [
      texts.attributes,
      request.attributes.length > 0 ? written(request.attributes.join(', ')) : undefined,
    ],
    ['token_id', token && code(token)],
    ['request_id', code(request.request_id)],
  ]);
}

function bodyListings(
  { frame }: ConsoleVisit,
  { request, response }: NonNullable<ScimRequestDetails['bodies']>,
): Html {
  const { sent, answered } = requestsTexts(frame.language);
  return markup`<div class="columns">${[
    [sent, request] as const,
    [answered, response] as const,
  ].map(([title, body]) => section(title, body !== null && listing(title, indented(body))))}</div>`;
}

/** JSON with indents; a body that was cut stays as it is. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
