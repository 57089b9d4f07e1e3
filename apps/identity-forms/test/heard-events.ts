import { KeyRing } from '@gatehouse/crypto';
import { IdentityEvents } from '@gatehouse/schemas';
import { SealedMessages } from '@gatehouse/kit/exchange';
import { CONTROL_PLANE, type Json } from '@gatehouse/testing';
import { type FormsStack } from './forms-stack.js';

/** The events that the services of a stack publish from now on, opened. */
export class HeardEvents {
  private constructor(
    readonly events: Json[],
    readonly close: () => void,
  ) {}

  static async of({ redis }: FormsStack): Promise<HeardEvents> {
    const sealed = new SealedMessages(KeyRing.fromTexts([CONTROL_PLANE.MESSAGE_KEYS]), 'tests');
    const events: Json[] = [];
    const subscriber = redis.client.duplicate();
    const types = Object.values(IdentityEvents);
    await subscriber.subscribe(...types.map((type) => redis.namespace + type));
    subscriber.on('message', (channel, text) => {
      const { data } = JSON.parse(text) as { data: string };
      const heard = sealed.openEvents(channel.slice(redis.namespace.length), data);
      events.push(...heard.map((event) => event.data));
    });
    return new HeardEvents(events, () => subscriber.disconnect());
  }
}
