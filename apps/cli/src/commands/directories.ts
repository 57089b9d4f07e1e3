import {
  type DirectoriesListData,
  type ListedDirectory,
  type Run,
  type ScimRequest,
} from '@gatehouse/client';
import { type Command } from 'commander';
import { findDirectory } from '../directories/find-directory.js';
import { healthTone, planInWords, statusFacts } from '../directories/health.js';
import { Failure } from '../failure.js';
import { confirm } from '../output/prompt.js';
import { type Column } from '../output/table.js';
import { relativeTime } from '../output/times.js';
import { type Session, withSession } from '../session.js';
import { type Limited, limited, listOptions, pageSize } from './options.js';

type State = NonNullable<DirectoriesListData['query']>['state'];
interface ListFilter extends Limited {
  readonly tenant?: string;
  readonly product?: string;
  readonly state?: State;
  readonly errors?: boolean;
}
interface RequestFilter extends Limited {
  readonly status?: string;
  readonly method?: string;
}

const REFERENCE = 'id, or tenant/product';
const SHOWN_REQUESTS = 5;
const DIRECTORIES: readonly Column<ListedDirectory>[] = [
  { title: 'Tenant', value: ({ tenant }) => tenant },
  { title: 'Product', value: ({ product }) => product },
  { title: 'Name', value: ({ name }) => name },
  { title: 'Type', value: ({ type }) => type },
  {
    title: 'Health',
    value: ({ health }) => health.state,
    tone: ({ health }) => healthTone(health),
  },
  { title: 'Id', value: ({ id }) => id, isKept: true },
];
const REQUESTS: readonly Column<ScimRequest>[] = [
  { title: 'Time', value: ({ time }) => relativeTime(time) },
  { title: 'Method', value: ({ method }) => method },
  { title: 'Path', value: ({ path, filter }) => (filter ? `${path}?filter=${filter}` : path) },
  {
    title: 'Status',
    value: ({ status }) => status,
    tone: ({ status }) => (status < 400 ? 'good' : 'bad'),
  },
  { title: 'Detail', value: ({ detail }) => detail },
];
const RUNS: readonly Column<Run>[] = [
  { title: 'Created', value: ({ created_at }) => relativeTime(created_at) },
  { title: 'Started by', value: ({ trigger }) => trigger },
  {
    title: 'State',
    value: ({ state }) => state,
    tone: ({ state }) => (state === 'held' || state === 'failed' ? 'bad' : undefined),
  },
  {
    title: 'Users',
    value: ({ counts: c }) => `+${c.users_created} ~${c.users_updated} -${c.users_deleted}`,
  },
  {
    title: 'Groups',
    value: ({ counts: c }) => `+${c.groups_created} ~${c.groups_updated} -${c.groups_deleted}`,
  },
  {
    title: 'Because',
    value: ({ error, hold_reasons }) =>
      error ?? hold_reasons.map(({ message }) => message).join('; '),
  },
  { title: 'Id', value: ({ id }) => id, isKept: true },
];

export function addDirectories(program: Command): void {
  const directories = program.command('directories').description('See how directories are doing');
  limited(directories.command('list').description('List directories with their health'))
    .option('--tenant <tenant>', 'of this tenant, with --product')
    .option('--product <product>', 'of this product')
    .option('--state <state>', 'with this state of health, such as failing')
    .option('--errors', 'only those that need attention')
    .action(withSession(list));
  directories
    .command('show')
    .description('Show a directory, its health and its last requests')
    .argument('<directory>', REFERENCE)
    .option('--secrets', 'with the SCIM secret and the webhook secret, for --json')
    .action(withSession(show));
  limited(
    directories
      .command('requests')
      .description('List what the provider has sent, the newest first'),
  )
    .argument('<directory>', REFERENCE)
    .option('--status <status>', 'such as 409, or 4xx')
    .option('--method <method>', 'such as PATCH')
    .action(withSession(listRequests));
  limited(directories.command('runs').description('List runs, the newest first'))
    .argument('<directory>', REFERENCE)
    .action(withSession(listRuns));
  directories
    .command('approve')
    .description('Carry out a run that is held')
    .argument('<directory>', REFERENCE)
    .argument('[run]', 'id of the run; by default the one that is held')
    .option('--yes', 'do not ask')
    .action(withSession(approve));
}

async function list({ gatehouse, output }: Session, options: ListFilter): Promise<void> {
  const { tenant, product, state, errors } = options;
  const { directories } = gatehouse;
  const input = {
    product,
    state,
    has_errors: errors,
    secrets: false,
    pageLimit: pageSize(options),
  };
  const found =
    product !== undefined && tenant === undefined
      ? directories.listOfProduct.all(input)
      : directories.list.all({ ...input, tenant });
  await output.list(found, DIRECTORIES, listOptions('directory', options));
}

async function show(
  { gatehouse, output }: Session,
  reference: string,
  { secrets = false }: { secrets?: boolean },
): Promise<void> {
  const id = await findDirectory(gatehouse, reference);
  const directory = await gatehouse.directories.get({ id, secrets });
  const status = await gatehouse.directories.status({ id });
  const requests = await gatehouse.directories.requests.list({
    directoryId: id,
    limit: SHOWN_REQUESTS,
  });
  output.result({ ...directory, status, requests }, [
    ['Directory', id],
    ['Name', directory.name],
    ['Tenant', directory.tenant],
    ['Product', directory.product],
    ['Type', directory.type],
    ['SCIM', directory.scim.endpoint],
    ['Webhook to', directory.webhook.endpoint],
    ...statusFacts(status),
  ]);
  if (output.json || requests.length === 0) return;
  output.line('');
  output.table(requests, REQUESTS);
}

async function listRequests(
  { gatehouse, output }: Session,
  reference: string,
  options: RequestFilter,
): Promise<void> {
  const directoryId = await findDirectory(gatehouse, reference);
  const { status, method } = options;
  const input = { directoryId, status, method, limit: pageSize(options) };
  const { requests } = gatehouse.directories;
  await output.list(requests.list.all(input), REQUESTS, listOptions('request', options));
}

async function listRuns({ gatehouse, output }: Session, reference: string, options: Limited) {
  const directoryId = await findDirectory(gatehouse, reference);
  const runs = gatehouse.directories.runs.list.all({ directoryId, pageLimit: pageSize(options) });
  await output.list(runs, RUNS, listOptions('run', options));
}

async function approve(
  { gatehouse, output }: Session,
  reference: string,
  run: string | undefined,
  { yes }: { yes?: boolean },
): Promise<void> {
  const directoryId = await findDirectory(gatehouse, reference);
  const { runs } = gatehouse.directories;
  const runId = run ?? (await heldRun(gatehouse, directoryId));
  const { state, plan, hold_reasons } = await runs.get({ directoryId, runId });
  if (state !== 'held') throw new Failure(`The run ${runId} is not held: it is ${state}.`);
  for (const { message } of hold_reasons) output.note(`Held: ${message}`);
  output.note(`It would change: ${planInWords(plan)}`);
  await confirm('Approve it?', yes);
  const approved = await runs.approve({ directoryId, runId });
  output.result(approved, [
    ['Approved', runId],
    ['State', approved.state],
  ]);
}

async function heldRun(gatehouse: Session['gatehouse'], directoryId: string): Promise<string> {
  const newest = await gatehouse.directories.runs.list({ directoryId });
  const held = newest.find(({ state }) => state === 'held');
  if (held) return held.id;
  throw new Failure('No run of this directory is held.');
}
