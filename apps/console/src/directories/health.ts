/** The health of directories in words. */
import { type Directory, type DirectoryHealth } from '@gatehouse/client';
import { type Html } from '@gatehouse/pages';
import { badge, link } from '../parts/text.js';
import { type ConsoleFrame } from '../site/console-frame.js';
import { directoriesTexts } from '../texts/directories.texts.js';
import { PATH } from './directory-page.js';

export type HealthState = DirectoryHealth['state'];

const KINDS = {
  healthy: 'good',
  deactivated: 'quiet',
  held: 'warning',
  paused: 'warning',
} as const;

/** Whether a list can be filtered by it. */
export function isHealthState(text = ''): text is HealthState {
  return Object.hasOwn(directoriesTexts('en').states, text);
}

/** A state in words, which lead to where the reason is to be seen. */
export function healthBadge(
  frame: ConsoleFrame,
  { id, type }: Pick<Directory, 'id' | 'type'>,
  state: HealthState,
): Html {
  const kind = Object.hasOwn(KINDS, state) ? KINDS[state as keyof typeof KINDS] : 'bad';
  const shown = badge(kind, directoriesTexts(frame.language).states[state]);
  const place = placeOf(state, type === 'workspace');
  return place === undefined ? shown : link(frame, `${PATH}/${id}${place}`, shown);
}

function placeOf(state: HealthState, isPulled: boolean): string | undefined {
  if (state === 'held' || (state === 'failed' && isPulled)) return '/runs';
  if (state === 'failed') return '/requests?status=4xx';
  return state === 'unauthorized' ? '/requests?status=401' : undefined;
}
