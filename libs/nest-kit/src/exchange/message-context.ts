import { BaseRpcContext } from '@nestjs/microservices';

/** The context of a message handler: `@Ctx() context: MessageContext`. */
export class MessageContext extends BaseRpcContext<[pattern: string, sender: string]> {
  /** The service that sent the message, according to its seal. */
  get sender(): string {
    return this.args[1];
  }
}
