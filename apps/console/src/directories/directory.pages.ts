/** One directory: whether it works, and what it is. */
import {
  type DirectoriesWebhookEndpoint,
  type Directory,
  type DirectoryStatus,
} from '@gatehouse/client';
import { type Html, markup } from '@gatehouse/pages';
import { actButton } from '../parts/forms.js';
import { facts, pathWith, table } from '../parts/table.js';
import { badge, buttonLink, copyable, link, number, section, written } from '../parts/text.js';
import { duration, time } from '../parts/time.js';
import { type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages } from '../site/pages.js';
import { directoriesTexts } from '../texts/directories.texts.js';
import { directoryOf, directoryPage, idOf, PATH } from './directory-page.js';
import { healthBadge } from './health.js';
import { decisionLinks } from './run.pages.js';
import { scimPlot } from './scim-usage.js';

export function directoryPages(pages: Pages): void {
  pages.show(`${PATH}/:id`, showPage);
}

async function showPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse } = visit;
  const id = idOf(visit);
  const [directory, status, { webhook_endpoints: endpoints }, usage] = await Promise.all([
    directoryOf(visit),
    gatehouse.directories.status({ id }),
    gatehouse.directories.webhookEndpoints.list({ directoryId: id }),
    gatehouse.directories.usage({ directoryId: id }),
  ]);
  const isHeld = status.health.errors.some(({ state }) => state === 'held');
  // While a run is held, no other begins.
  const [newest] = isHeld
    ? await gatehouse.directories.runs.list({ directoryId: id, pageLimit: 1 })
    : [];
  const texts = directoriesTexts(frame.language);
  return directoryPage(visit, directory, {
    content: markup`${verdict(visit, directory, status)}
${newest && decisionLinks(visit, newest)}
${can(visit, 'dsync:admin') && acts(visit, directory)}
<div class="columns">${section(texts.traffic, traffic(visit, status))}
${section(texts.settings, settings(visit, directory))}</div>
${status.requests && section(texts.scimRequests, scimPlot(frame, usage))}
${section(texts.endpoints, endpointTable(visit, directory, endpoints))}`,
  });
}

/** Whether it works; of each error why, since when, and where it is to be seen. */
function verdict({ frame }: ConsoleVisit, directory: Directory, status: DirectoryStatus): Html {
  const texts = directoriesTexts(frame.language);
  const { health, requests, last_request_at: last } = status;
  if (health.errors.length === 0) {
    const isWell = health.state === 'healthy' && requests !== null;
    const idle = last === null ? texts.waiting : requests?.quiet_since && texts.quiet;
    return markup`<p class="lead">${
      isWell && idle ? badge('warning', idle) : healthBadge(frame, directory, health.state)
    }</p>`;
  }
  return markup`<ul class="lead">${health.errors.map(
    ({
      state,
      reason,
      since,
    }) => markup`<li>${healthBadge(frame, directory, state)}${reason !== null && [': ', written(reason)]}
${since !== null && ['(', time(frame, since), ')']}</li>`,
  )}</ul>`;
}

function acts({ frame }: ConsoleVisit, { id, type, deactivated }: Directory): Html {
  const texts = directoriesTexts(frame.language);
  const path = `${PATH}/${id}`;
  return markup`<div class="acts">
${buttonLink(frame, pathWith(`${PATH}/new-link`, { directory_id: id }), texts.newLink)}
${
  type === 'workspace'
    ? actButton(frame, { path: `${path}/sync`, button: texts.sync })
    : buttonLink(frame, `${path}/rotate-secret`, texts.rotateSecret)
}
${
  deactivated
    ? actButton(frame, { path: `${path}/activate`, button: texts.activate })
    : buttonLink(frame, `${path}/deactivate`, texts.deactivate)
}</div>`;
}

function traffic({ frame }: ConsoleVisit, status: DirectoryStatus): Html {
  const texts = directoriesTexts(frame.language);
  const { last_sync: sync, requests, workspace, key_link: keyLink } = status;
  const age = status.oldest_pending_age_seconds;
  return facts([
    [texts.lastRequest, requests && time(frame, status.last_request_at)],
    [texts.lastSuccess, time(frame, sync?.last_success_at)],
    [texts.lastError, time(frame, sync?.last_error_at)],
    [
      texts.today,
      requests &&
        texts.requestsOf(
          number(frame, requests.requests),
          number(frame, requests.errors),
          number(frame, requests.unauthorized),
        ),
    ],
    [texts.provider, requests?.provider ?? workspace?.provider],
    [texts.secretUsed, requests && time(frame, requests.secret_last_used_at)],
    [texts.pending, number(frame, status.pending)],
    [texts.oldest, age === null ? undefined : duration(frame, age)],
    [texts.parked, number(frame, status.dead)],
    [texts.ignored, number(frame, status.ignored_members)],
    [texts.keyLink, keyLink && `${keyLink.state} ${keyLink.reason ?? ''}`],
  ]);
}

function settings({ frame }: ConsoleVisit, directory: Directory): Html {
  const texts = directoriesTexts(frame.language);
  const isPulled = directory.type === 'workspace';
  return facts([
    [texts.tenant, written(directory.tenant)],
    [texts.product, written(directory.product)],
    [texts.type, directory.workspace_provider ?? directory.type],
    [texts.domain, directory.workspace_domain && written(directory.workspace_domain)],
    [texts.scimAddress, isPulled ? undefined : copyable(frame, directory.scim.endpoint)],
    [texts.id, copyable(frame, directory.id)],
  ]);
}

function endpointTable(
  { frame }: ConsoleVisit,
  directory: Directory,
  endpoints: readonly DirectoriesWebhookEndpoint[],
): Html {
  const texts = directoriesTexts(frame.language);
  return table(frame, {
    caption: texts.endpoints,
    rows: endpoints,
    empty: markup`<p>${texts.noEndpoints}</p>`,
    columns: [
      {
        head: texts.address,
        cell: ({ id, url }) => link(frame, `/webhooks/${directory.id}/${id}`, written(url)),
      },
      { head: texts.health, cell: ({ state }) => healthBadge(frame, directory, state) },
      { head: texts.reason, cell: ({ reason }) => reason !== null && written(reason) },
      { head: texts.lastSuccess, cell: (each) => time(frame, each.last_success_at) },
    ],
  });
}
