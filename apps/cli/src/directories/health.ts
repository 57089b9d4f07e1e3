/** The health of a directory in plain words. */
import { type DirectoryHealth, type DirectoryStatus, type RunDetails } from '@gatehouse/client';
import { type Tone } from '../output/color.js';
import { type Fact } from '../output/output.js';
import { counted } from '../output/text.js';
import { relativeTime } from '../output/times.js';

const WORDS: Readonly<Record<DirectoryHealth['state'], string>> = {
  healthy: 'healthy',
  deactivated: 'deactivated: its provider is refused, and its events are not sent',
  needs_authorization: 'it has no access to its provider: connect it again',
  failed: 'the last run or request failed',
  held: 'a run waits for a decision: gatehouse directories approve',
  unauthorized: 'the last request had no valid secret',
  stopped: 'a webhook answered 410, and gets no more events',
  paused: 'a webhook is paused, and its events wait',
  failing: 'a webhook fails, and is tried again',
  dead: 'a webhook refused events, which are parked',
};

export function healthTone({ state }: DirectoryHealth): Tone {
  if (state === 'healthy') return 'good';
  return state === 'deactivated' ? 'dim' : 'bad';
}

/** A line for each problem, or one line that all is well. */
export function healthInWords({ state, errors }: DirectoryHealth): string[] {
  if (errors.length === 0) return [WORDS[state]];
  return errors.map(({ state: problem, reason, since }) => {
    const details = [reason, since && `since ${relativeTime(since)}`].filter(Boolean).join(', ');
    return details ? `${WORDS[problem]} (${details})` : WORDS[problem];
  });
}

export function statusFacts(status: DirectoryStatus): Fact[] {
  const { health, requests, last_request_at, pending, dead, key_link, last_sync, webhook } = status;
  return [
    ...healthInWords(health).map((words): Fact => ['Health', words]),
    ['Provider', requests?.provider],
    ['Last request', relativeTime(last_request_at)],
    [
      'Last run',
      last_sync && `${last_sync.result || 'under way'} ${relativeTime(last_sync.finished_at)}`,
    ],
    [
      'Last 24 hours',
      requests && `${counted(requests.requests, 'request')}, ${requests.errors} refused`,
    ],
    ['Webhook', webhook.state],
    ['Events', `${pending} waiting, ${dead} parked`],
    ['Key link', key_link?.state],
  ];
}

/** What a run would change: `3 users deleted, 1 group updated`. */
export function planInWords(plan: RunDetails['plan']): string {
  const changes = Object.entries(plan?.counts ?? {})
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name.replace('_', ' ')}: ${count}`);
  return changes.join(', ') || 'nothing that could be carried out later';
}
