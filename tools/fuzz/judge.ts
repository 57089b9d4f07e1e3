/** Finds the faults of an answer. */
import { type Answer, type ApiDescription, type SecretRecorder } from '@gatehouse/testing';
import { type Encoded, type Outcome } from './send.js';

export interface Judged {
  description: ApiDescription | undefined;
  /** Secrets of the services, which no answer may contain. */
  platform: SecretRecorder;
  /** Texts of another tenant. */
  foreign: readonly string[];
}

/** SCIM answers as `application/json` if `Accept` has only that. */
const PLAIN_SCIM = / \/api\/scim\/v2\.0\/.* is not described as application\/json$/;

/** GitHub's keys are read at most every five minutes, so a key that is not known may be a new one. */
const NOT_READ_YET = '"reason":"LEAK_REPORTER_KEYS_UNAVAILABLE"';

/** @returns the fault; undefined if the answer is right */
export function faultOf(
  outcome: Outcome,
  { method, target }: Encoded,
  { description, platform, foreign }: Judged,
): string | undefined {
  if ('unsent' in outcome) return undefined;
  if ('fault' in outcome) return outcome.fault;
  const { answer } = outcome;
  if (answer.status >= 500 && !answer.text.includes(NOT_READ_YET)) {
    return `${answer.status}: ${answer.text.slice(0, 300)}`;
  }
  const shown = textOf(answer);
  if (platform.findIn(shown).length > 0) return 'the answer contains a secret of the service';
  if (foreign.some((text) => shown.includes(text))) {
    return "the answer contains another tenant's data";
  }
  if (isOfParser(answer, target)) return undefined;
  try {
    description?.check(method, target, answer);
  } catch (error) {
    const { message } = error as Error;
    const isLeftOpen = PLAIN_SCIM.test(message);
    return isLeftOpen ? undefined : message.slice(0, 400);
  }
  return undefined;
}

/** Node's HTTP parser refuses some requests before there is a route. */
function isOfParser({ status }: Answer, target: string): boolean {
  return status === 400 && /[^!-~]/.test(target);
}

function textOf({ headers, text }: Answer): string {
  return [...headers].map(([name, value]) => `${name}: ${value}\n`).join('') + text;
}
