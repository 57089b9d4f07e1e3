/** The state of an endpoint as a word, and in a sentence. */
import { type Html, markup } from '@gatehouse/pages';
import { badge, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type ConsoleFrame } from '../site/console-frame.js';
import { webhooksTexts } from '../texts/webhooks.texts.js';
import { type Endpoint } from './webhook-source.js';

/** The states, the gravest first. */
export const STATES = ['failing', 'paused', 'stopped', 'healthy'] as const;
const KINDS = { failing: 'bad', paused: 'warning', stopped: 'warning', healthy: 'good' } as const;

/** A pause after failures has a next attempt. */
export function isPausedByHand({ state, next_attempt_at }: Endpoint): boolean {
  return state === 'paused' && next_attempt_at === null;
}

export function stateBadge({ language }: ConsoleFrame, { state }: Endpoint): Html {
  return badge(KINDS[state], webhooksTexts(language).states[state]);
}

/** Why it is not healthy, since when, and when it is tried again. */
export function stateSentence(frame: ConsoleFrame, endpoint: Endpoint): Html {
  const texts = webhooksTexts(frame.language);
  const { state, reason, failing_since, last_success_at, next_attempt_at } = endpoint;
  if (isPausedByHand(endpoint)) return markup`${texts.pausedByHand}`;
  return markup`${texts.sentences[state]}
${state === 'healthy' && markup`${time(frame, last_success_at)}.`}
${reason !== null && markup`${texts.reason}: ${written(reason)}.`}
${failing_since !== null && markup`${texts.failingSince}: ${time(frame, failing_since)}.`}
${next_attempt_at !== null && markup`${texts.nextAttempt}: ${time(frame, next_attempt_at)}.`}`;
}
