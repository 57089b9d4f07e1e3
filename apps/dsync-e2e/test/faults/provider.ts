/** An identity provider: sends changes one after another, and repeats those that were not answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDirectory, user } from '../sync-stack.js';

const RETRY_MS = 50;
/** Every user of this number gets a second change. */
const UPDATED_EACH = 5;

export interface Provider {
  /** Changes that the directory accepted: each must be in the log exactly once. */
  readonly changes: string[];
  /**
   * Creates users, and updates some of them.
   * @param isOver ends the work early
   * @param pauseMs between the changes of two users
   */
  provision(count: number, isOver?: () => boolean, pauseMs?: number): Promise<void>;
}

export function identityProvider({ scim }: Pick<TestDirectory, 'scim'>): Provider {
  const changes: string[] = [];
  let next = 0;

  /** @returns undefined without an answer */
  const sendOnce = (method: string, path: string, content?: object) =>
    scim(method, path, content).catch((error: unknown) => {
      // The TypeError of `fetch` belongs to another realm than that of a test.
      if ((error as Error).name === 'TypeError') return undefined;
      throw error;
    });

  /** Sends a request until it is answered. A repeated one may have been carried out before. */
  const send = async (method: string, path: string, content: object) => {
    for (let isRepeated = false; ; isRepeated = true) {
      const answer = await sendOnce(method, path, content);
      if (answer && answer.status < 300) return answer;
      if (answer?.status === 409 && isRepeated) return answer;
      if (answer && answer.status < 500) throw new Error(`${method} ${path}: ${answer.text}`);
      await sleep(RETRY_MS);
    }
  };

  const idOf = async (userName: string): Promise<string> => {
    const filter = encodeURIComponent(`userName eq "${userName}"`);
    for (;;) {
      const answer = await sendOnce('GET', `/Users?filter=${filter}`);
      if (answer?.status === 200) return answer.body.Resources[0].id as string;
      await sleep(RETRY_MS);
    }
  };

  const provision: Provider['provision'] = async (count, isOver = () => false, pauseMs = 0) => {
    for (const end = next + count; next < end && !isOver(); next += 1) {
      if (pauseMs > 0) await sleep(pauseMs);
      const userName = `user-${next}`;
      const { status, body } = await send('POST', '/Users', user(userName));
      changes.push(`user.created ${userName}`);
      if (next % UPDATED_EACH !== 0) continue;
      const id = status === 409 ? await idOf(userName) : (body.id as string);
      await send('PUT', `/Users/${id}`, user(userName, { title: 'updated' }));
      changes.push(`user.updated ${userName}`);
    }
  };
  return { changes, provision };
}
