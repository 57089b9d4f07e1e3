import { type Messages } from '@gatehouse/kit/exchange';
import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import { MessageContext } from './message-context.js';

/** The transport of Nest's message handlers: `@MessagePattern` answers requests, `@EventPattern` hears hints. */
export class MessageServer extends Server implements CustomTransportStrategy {
  constructor(private readonly messages: Messages) {
    super();
  }

  override listen(callback: () => void): void {
    for (const [pattern, { isEventHandler }] of this.messageHandlers) {
      if (isEventHandler) this.hear(pattern);
      else this.serve(pattern);
    }
    callback();
  }

  override close(): Promise<void> {
    return this.messages.stop();
  }

  override on(): void {
    // The exchange logs what happens to it.
  }

  override unwrap<T>(): T {
    return this.messages as T;
  }

  private serve(pattern: string): void {
    this.messages.serve(pattern, async (data, sender) => {
      const handler = this.getHandlerByPattern(pattern);
      const reply: unknown = await handler?.(data, new MessageContext([pattern, sender]));
      return lastValueFrom(this.transformToObservable(reply));
    });
  }

  private hear(pattern: string): void {
    this.messages.listen(pattern, {
      receive: (data, sender) =>
        void this.handleEvent(pattern, { pattern, data }, new MessageContext([pattern, sender])),
    });
  }
}
