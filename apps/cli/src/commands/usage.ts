import { type UsagePoint } from '@gatehouse/client';
import { type Command, Option } from 'commander';
import { findKey } from '../keys/find-key.js';
import { type Column } from '../output/table.js';
import { timeOf } from '../output/times.js';
import { type Session, withSession } from '../session.js';
import { type Limited, limited, listed, listOptions, pageSize } from './options.js';

const GROUPS = {
  key: 'key_id',
  actor: 'actor_id',
  tag: 'tag',
  outcome: 'outcome',
  limit: 'limit',
  prefix: 'prefix',
};

interface UsageOptions extends Limited {
  readonly by: string[];
  readonly interval: 'minute' | 'hour' | 'day';
  readonly from?: string;
  readonly to?: string;
  readonly key?: string;
  readonly actor?: string;
}

export function addUsage(program: Command): void {
  limited(program.command('usage').description('Count verifications'))
    .option('--by <groups>', `any of ${Object.keys(GROUPS).join(', ')}; by default outcome`, listed)
    .addOption(
      new Option('--interval <interval>', 'of each count')
        .choices(['minute', 'hour', 'day'])
        .default('hour'),
    )
    .option('--from <time>', 'a time, or how long ago, such as 7d')
    .option('--to <time>', 'a time, or how long ago')
    .option('--key <key>', 'of this key: its id, or a part of its secret such as ...WP2T')
    .option('--actor <id>', 'of the keys of this owner')
    .action(withSession(showUsage));
}

async function showUsage({ gatehouse, output }: Session, options: UsageOptions): Promise<void> {
  const { by = ['outcome'], interval, from, to, key, actor } = options;
  const filter = [
    key && `key_id=${(await findKey(gatehouse, key)).key_id}`,
    actor && `actor_id=${JSON.stringify(actor)}`,
  ]
    .filter(Boolean)
    .join(' AND ');
  const points = gatehouse.usage.list.all({
    interval,
    group_by: by.join(','),
    from: from && timeOf(from),
    to: to && timeOf(to),
    filter: filter || undefined,
    page_size: pageSize(options),
  });
  const groups = Object.entries(GROUPS).filter(([group]) => by.includes(group));
  const columns: Column<UsagePoint>[] = [
    // Intervals are in UTC.
    { title: 'Time (UTC)', value: ({ time }) => time.slice(0, 16).replace('T', ' '), isKept: true },
    ...groups.map(([title, member]) => ({
      title,
      value: (point: UsagePoint) => point[member as keyof UsagePoint],
    })),
    { title: 'Count', value: ({ count }) => count },
    { title: 'Cost', value: ({ cost }) => cost },
  ];
  await output.list(points, columns, listOptions('row', options));
}
