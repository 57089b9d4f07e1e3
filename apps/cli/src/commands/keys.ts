import { type KeysIssueData, type RevocationReason } from '@gatehouse/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { findKey, type Key } from '../keys/find-key.js';
import { factsOf, limitsOf, refusalInWords, stateOf, verdictOf } from '../keys/verdict.js';
import { confirm } from '../output/prompt.js';
import { type Column } from '../output/table.js';
import { relativeTime } from '../output/times.js';
import { type Session, withSession } from '../session.js';
import { type Limited, limited, listed, listOptions, pageSize } from './options.js';

interface ListFilter extends Limited {
  readonly actor?: string;
  readonly name?: string;
  readonly tag?: string;
  readonly status?: string;
  readonly imported?: boolean;
}

interface IssueOptions {
  readonly actor: string;
  readonly scope?: string[];
  readonly tag?: string[];
  readonly ttl?: string;
  readonly prefix?: string;
  readonly rateLimit?: { quota: string; window: string };
  readonly public?: boolean;
}

const REFERENCE = 'id of the key, or a part of its secret such as ...WP2T';
const REASONS: Readonly<Record<string, RevocationReason>> = {
  compromised: 'REVOCATION_REASON_KEY_COMPROMISE',
  left: 'REVOCATION_REASON_AFFILIATION_CHANGED',
  superseded: 'REVOCATION_REASON_SUPERSEDED',
  withdrawn: 'REVOCATION_REASON_PRIVILEGE_WITHDRAWN',
};
const COLUMNS: readonly Column<Key>[] = [
  // Either stands for the key in other commands.
  {
    title: 'Key',
    value: (key) => ('key_preview' in key ? key.key_preview : key.key_id),
    isKept: true,
  },
  { title: 'Name', value: ({ name }) => name },
  { title: 'Actor', value: ({ actor_id }) => actor_id },
  {
    title: 'State',
    value: stateOf,
    tone: ({ status }) => (status === 'KEY_STATUS_ACTIVE' ? 'good' : 'warn'),
  },
  { title: 'Scopes', value: ({ scopes }) => scopes.join(' ') },
  { title: 'Expires', value: ({ expire_time }) => relativeTime(expire_time) || 'never' },
  { title: 'Last used', value: ({ last_used_time }) => relativeTime(last_used_time) || 'never' },
];

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('Issue, find and end API keys');
  limited(keys.command('list').description('List keys, the newest first'))
    .option('--actor <id>', 'of this owner')
    .option('--name <name>', 'with this name')
    .option('--tag <tag>', 'with this tag')
    .addOption(
      new Option('--status <status>', 'in this state').choices([
        'active',
        'paused',
        'revoked',
        'expired',
      ]),
    )
    .option('--imported', 'imported keys instead of issued ones')
    .action(withSession(list));
  keys
    .command('issue <name>')
    .description('Issue a key, and print its secret')
    .requiredOption('--actor <id>', 'the owner')
    .option('--scope <scope>', 'may be repeated', listed)
    .option('--tag <tag>', 'may be repeated', listed)
    .option('--ttl <duration>', 'how long it lives, such as 24h or 90d')
    .option('--prefix <prefix>', 'of the secret')
    .option('--rate-limit <quota/window>', 'such as 100/60s', readRateLimit)
    .option('--public', 'for browsers')
    .action(withSession(issue));
  keys
    .command('show')
    .description('Show a key')
    .argument('<key>', REFERENCE)
    .action(withSession(show));
  keys
    .command('why')
    .description('Say whether a key works, and why not')
    .argument('<key>', REFERENCE)
    .action(withSession(why));
  keys
    .command('revoke')
    .description('End a key')
    .argument('<key>', REFERENCE)
    .addOption(new Option('--reason <reason>', 'why').choices(Object.keys(REASONS)))
    .option('--yes', 'do not ask')
    .action(withSession(revoke));
  keys
    .command('rotate')
    .description('Replace a key by a new one, and print its secret')
    .argument('<key>', REFERENCE)
    .option('--grace <duration>', 'how long the old key works, such as 24h; by default it ends now')
    .option('--yes', 'do not ask')
    .action(withSession(rotate));
}

async function list({ gatehouse, output }: Session, options: ListFilter): Promise<void> {
  const { actor, name, tag, status, imported } = options;
  const filter = [
    actor && `actor_id=${JSON.stringify(actor)}`,
    name && `name=${JSON.stringify(name)}`,
    tag && `tags:${JSON.stringify(tag)}`,
    status && `status=KEY_STATUS_${status.toUpperCase()}`,
  ]
    .filter(Boolean)
    .join(' AND ');
  const input = { filter: filter || undefined, page_size: pageSize(options) };
  const keys: AsyncIterable<Key> = imported
    ? gatehouse.importedKeys.list.all(input)
    : gatehouse.keys.list.all(input);
  await output.list(keys, COLUMNS, listOptions('key', options));
}

async function issue({ gatehouse, output }: Session, name: string, options: IssueOptions) {
  const request: KeysIssueData['body'] = {
    name,
    actor_id: options.actor,
    scopes: options.scope,
    tags: options.tag,
    ttl: options.ttl,
    prefix: options.prefix,
    rate_limit_policy: options.rateLimit,
    visibility: options.public ? 'KEY_VISIBILITY_PUBLIC' : undefined,
  };
  const issued = await gatehouse.keys.issue(request);
  printSecret({ output }, issued, issued.issued_api_key);
}

async function show({ gatehouse, output }: Session, reference: string): Promise<void> {
  const key = await findKey(gatehouse, reference);
  output.result(key, factsOf(key));
}

async function why({ gatehouse, output }: Session, reference: string): Promise<void> {
  const key = await findKey(gatehouse, reference);
  const { key_id, actor_id } = key;
  const [{ refusals }, actor] = await Promise.all([
    gatehouse.keys.refusals({ key_id }),
    key.status === 'KEY_STATUS_ACTIVE' ? undefined : gatehouse.actors.find({ actor_id }),
  ]);
  const known = [...(actor?.issued_api_keys ?? []), ...(actor?.imported_api_keys ?? [])];
  const reason = known.find((each) => each.key_id === key_id)?.state_reason ?? null;
  const { works, sentence } = verdictOf(key, reason);
  output.result({ works, verdict: sentence, key, state_reason: reason, refusals }, [
    [works ? 'Works' : 'Refused', sentence],
    ...limitsOf(key),
    ['Expires', relativeTime(key.expire_time) || 'never'],
    ['Last used', relativeTime(key.last_used_time) || 'never'],
    ['Refusals', refusals.length === 0 ? 'none in 30 days' : 'in the last 30 days:'],
  ]);
  if (output.json || refusals.length === 0) return;
  output.table(refusals, [
    { title: 'Last', value: ({ last_time }) => relativeTime(last_time) },
    { title: 'Times', value: ({ count }) => count },
    { title: 'Because', value: refusalInWords },
    { title: 'Network', value: ({ network }) => network },
  ]);
}

async function revoke(
  { gatehouse, output }: Session,
  reference: string,
  { reason = '', yes }: { reason?: string; yes?: boolean },
): Promise<void> {
  const { key_id, name, actor_id } = await findKey(gatehouse, reference);
  await confirm(`Revoke the key "${name}" of ${actor_id}?`, yes);
  await gatehouse.keys.revoke({ key_id, reason: REASONS[reason] });
  output.result({ key_id, status: 'KEY_STATUS_REVOKED' }, [['Revoked', `${name} (${key_id})`]]);
}

async function rotate(
  { gatehouse, output }: Session,
  reference: string,
  { grace, yes }: { grace?: string; yes?: boolean },
): Promise<void> {
  const { key_id, name, actor_id } = await findKey(gatehouse, reference);
  const end = grace === undefined ? 'The old one ends now.' : `The old one ends in ${grace}.`;
  await confirm(`Replace the key "${name}" of ${actor_id}? ${end}`, yes);
  const rotated = await gatehouse.keys.rotate({ key_id, grace_period: grace });
  printSecret({ output }, rotated, rotated.issued_api_key);
}

/** The secret alone goes to stdout, so that it can be piped; it is shown this once. */
function printSecret(
  { output }: Pick<Session, 'output'>,
  answer: { secret: string },
  key: Key,
): void {
  if (output.json) {
    output.result(answer, []);
    return;
  }
  output.facts(factsOf(key), process.stderr);
  output.note('The secret is not shown again:');
  output.line(answer.secret);
}

function readRateLimit(text: string): { quota: string; window: string } {
  const [, quota, window] = /^(\d+)\/(\w+)$/.exec(text) ?? [];
  if (quota && window) return { quota, window };
  throw new InvalidArgumentError('It must be a quota and a window, such as 100/60s.');
}
