import { invalidField } from '@gatehouse/kit/input';
import { isUuid } from '@gatehouse/kit/ids';
import { MessageContext } from '@gatehouse/nest-kit/exchange';
import {
  type ApplyPeopleReply,
  type ApplyPeopleRequest,
  MessagePatterns,
  PEOPLE_MAX,
} from '@gatehouse/schemas';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { LeaversService } from './leavers.service.js';

/** The service that delivers the logs of directories and identities. */
const SENDER = 'dsync-worker';

/** Hears what became of the people of directories. */
@Controller()
export class LeaversController {
  constructor(private readonly leavers: LeaversService) {}

  @MessagePattern(MessagePatterns.applyPeople)
  async apply(
    @Payload() request: ApplyPeopleRequest,
    @Ctx() { sender }: MessageContext,
  ): Promise<ApplyPeopleReply> {
    if (sender !== SENDER) throw invalidField('sender', `must be ${SENDER}`);
    if (!isUuid(request.source_id)) throw invalidField('source_id', 'must be a UUID');
    if (request.people.length > PEOPLE_MAX) {
      throw invalidField('people', `must have at most ${PEOPLE_MAX} entries`);
    }
    return { is_done: await this.leavers.apply(request) };
  }
}
