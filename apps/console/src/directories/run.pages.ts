/** Runs of a directory, and decisions on those that are held. */
import { type Run, type RunDetails } from '@gatehouse/client';
import { type Html, markup } from '@gatehouse/pages';
import { confirmation } from '../parts/forms.js';
import { table } from '../parts/table.js';
import { badge, buttonLink, code, link, number, section, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type Page } from '../site/console-frame.js';
import { can, type ConsoleVisit, type Pages } from '../site/pages.js';
import { runsTexts } from '../texts/directory-runs.texts.js';
import { directoryOf, directoryPage, idOf, PATH, trailOf } from './directory-page.js';
import { partOf } from './lists.js';

type Plan = NonNullable<RunDetails['plan']>;
type Change = keyof Plan['counts'];
const CHANGES = [
  'users_created',
  'users_updated',
  'users_deleted',
  'groups_created',
  'groups_updated',
  'groups_deleted',
  'members_added',
  'members_removed',
] as const satisfies readonly Change[];
/** What a change does, whether to users, groups or memberships. */
const SUMS = [
  ['created', ['users_created', 'groups_created', 'members_added']],
  ['updated', ['users_updated', 'groups_updated']],
  ['removed', ['users_deleted', 'groups_deleted', 'members_removed']],
] as const satisfies readonly (readonly [name: string, changes: readonly Change[]])[];
const KINDS = { held: 'warning', succeeded: 'good', failed: 'bad' } as const;

export function runPages(pages: Pages): void {
  const path = `${PATH}/:id/runs`;
  pages.act(`${PATH}/:id/sync`, async (visit) => {
    const run = await visit.gatehouse.directories.sync({ directoryId: idOf(visit) });
    return { path: `${PATH}/${run.directory_id}/runs/${run.id}`, done: 'started' };
  });
  pages.show(path, listPage);
  pages.show(`${path}/:run`, runPage);
  for (const decision of ['approve', 'discard'] as const) {
    pages.show(`${path}/:run/${decision}`, (visit) => decisionPage(visit, decision));
    pages.act(`${path}/:run/${decision}`, async (visit) => {
      const { directory_id, id } = await visit.gatehouse.directories.runs[decision](named(visit));
      const done = decision === 'approve' ? 'started' : 'discarded';
      return { path: `${PATH}/${directory_id}/runs/${id}`, done };
    });
  }
}

function named(visit: ConsoleVisit) {
  return { directoryId: idOf(visit), runId: visit.params['run'] ?? '' };
}

function runOf(visit: ConsoleVisit): Promise<RunDetails> {
  return visit.gatehouse.directories.runs.get(named(visit));
}

async function listPage(visit: ConsoleVisit): Promise<Page> {
  const { frame, gatehouse } = visit;
  const directoryId = idOf(visit);
  const path = `${PATH}/${directoryId}/runs`;
  const texts = runsTexts(frame.language);

  const [directory, { rows, next }] = await Promise.all([
    directoryOf(visit),
    partOf(visit, { path }, (page) =>
      gatehouse.directories.runs.list.all({ directoryId, ...page }),
    ),
  ]);
  // A directory has at most one, whose row counts nothing before it is applied.
  const runId = rows.find(({ state }) => state === 'held')?.id;
  const held = runId ? await gatehouse.directories.runs.get({ directoryId, runId }) : undefined;
  const list = table<Run>(frame, {
    caption: texts.runs,
    rows,
    next,
    empty:
      directory.type === 'workspace'
        ? markup`<p>${texts.emptyWorkspace}</p>`
        : markup`<p>${texts.emptyGuard}</p><p>${code(`PATCH /api/v1/dsync/${directoryId}/guard {"max_delete_ratio":0.2}`)}</p>`,
    columns: [
      {
        head: texts.began,
        cell: (run) => link(frame, `${path}/${run.id}`, time(frame, run.created_at)),
      },
      { head: texts.state, cell: (run) => [stateBadge(visit, run), decisionLinks(visit, run)] },
      { head: texts.reason, cell: reasons },
      ...SUMS.map(([name, changes]) => ({
        head: texts[name],
        cell: (run: Run) => {
          const counts = run.id === held?.id ? held.plan?.counts : run.counts;
          return counts && number(frame, sum(counts, changes));
        },
        isNumber: true,
      })),
    ],
  });
  return directoryPage(visit, directory, { tab: 'runs', content: list });
}

function sum(counts: Plan['counts'], changes: readonly Change[]): number {
  return changes.reduce((total, name) => total + counts[name], 0);
}

function stateBadge({ frame }: ConsoleVisit, { state }: Run): Html {
  const kind = Object.hasOwn(KINDS, state) ? KINDS[state as keyof typeof KINDS] : 'quiet';
  return badge(kind, runsTexts(frame.language).states[state]);
}

function reasons({ hold_reasons: held, error }: Run): Html {
  if (held.length === 0) return markup`${error !== null && written(error)}`;
  return markup`${held.map(({ message }) => markup`<div>${written(message)}</div>`)}`;
}

export function decisionLinks(visit: ConsoleVisit, run: Run): Html | false {
  if (run.state !== 'held' || !can(visit, 'dsync:admin')) return false;
  const { frame } = visit;
  const { approve, discard } = runsTexts(frame.language);
  const path = `${PATH}/${run.directory_id}/runs/${run.id}`;
  return markup`<div class="acts">${buttonLink(frame, `${path}/approve`, approve)}${buttonLink(frame, `${path}/discard`, discard)}</div>`;
}

async function runPage(visit: ConsoleVisit): Promise<Page> {
  const { frame } = visit;
  const texts = runsTexts(frame.language);

  const [directory, run] = await Promise.all([directoryOf(visit), runOf(visit)]);
  const failures = table(frame, {
    caption: texts.failures,
    rows: run.failures,
    empty: '',
    columns: [
      { head: texts.id, cell: (each) => written(each.external_id) },
      { head: texts.reason, cell: (each) => written(each.reason) },
    ],
  });
  return directoryPage(visit, directory, {
    title: run.id,
    tab: 'runs',
    content: markup`<div class="lead"><p>${stateBadge(visit, run)} ${
      run.finished_at !== null && time(frame, run.finished_at)
    }</p>${reasons(run)}</div>
${decisionLinks(visit, run)}
${changeTable(visit, run)}
${run.counts.failed > 0 && section(`${texts.failures} (${number(frame, run.counts.failed)})`, failures)}`,
  });
}

/** What a run did; of a held one, what it would do, and to whom. */
function changeTable({ frame }: ConsoleVisit, { counts: done, plan }: RunDetails): Html {
  const texts = runsTexts(frame.language);
  const counts = plan?.counts ?? done;
  const list = table(frame, {
    caption: plan ? texts.plan : texts.done,
    rows: CHANGES.filter((name) => counts[name] > 0),
    empty: markup`<p>${texts.noChanges}</p>`,
    columns: [
      { head: texts.change, cell: (name) => texts.counts[name] },
      { head: texts.count, cell: (name) => number(frame, counts[name]), isNumber: true },
      ...(plan ? [{ head: texts.first, cell: (name: Change) => names(plan, name) }] : []),
    ],
  });
  return section(plan ? texts.plan : texts.done, list);
}

/** The service lists the first 100 of each kind. */
function names(plan: Plan, change: Change): Html {
  const listed = plan[change].map((each) =>
    'name' in each
      ? written(each.name || each.external_id)
      : markup`${written(each.member)} (${written(each.group_name)})`,
  );
  const rest = plan.counts[change] - listed.length;
  return markup`${listed.map((each, index) => [index > 0 && ', ', each])}${rest > 0 && ` … (+${rest})`}`;
}

async function decisionPage(visit: ConsoleVisit, decision: 'approve' | 'discard'): Promise<Page> {
  const texts = runsTexts(visit.frame.language);
  const [directory, run] = await Promise.all([directoryOf(visit), runOf(visit)]);
  return confirmation(visit.frame, {
    section: 'directories',
    trail: trailOf(visit.frame, directory, 'runs'),
    title: `${texts[decision]}: ${directory.name}`,
    lead: markup`<p>${texts[`${decision}Text`]}</p>
${reasons(run)}
${changeTable(visit, run)}`,
    path: `${PATH}/${directory.id}/runs/${run.id}/${decision}`,
    button: texts[decision],
  });
}
