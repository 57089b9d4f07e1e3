import { type TestDatabase } from '@gatehouse/testing';

const DAY_SECONDS = 86_400;

/** Lets time pass for webhook delivery: everything that it has recorded becomes older. */
export async function passTime({ query }: TestDatabase, seconds: number): Promise<void> {
  const days = Math.ceil(seconds / DAY_SECONDS) + 7;
  await query('SELECT dsync.create_partitions(current_date - $1::integer, current_date)', [days]);
  const older = (column: string) => `${column} = ${column} - make_interval(secs => $1)`;
  await query(`UPDATE dsync.events SET ${older('created_at')}`, [seconds]);
  await query(`UPDATE dsync.delivery_attempts SET ${older('at')}`, [seconds]);
  const times = [
    'next_attempt_at',
    'failing_since',
    'last_success_at',
    'cursor_at',
    'leased_until',
  ];
  await query(`UPDATE dsync.endpoints SET ${times.map(older).join(', ')}`, [seconds]);
}
