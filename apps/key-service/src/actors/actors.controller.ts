import { type InputReader } from '@gatehouse/kit/input';
import { Describe, parameter } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { type KeyOperation } from '../api/openapi/operation.js';
import { RequestInput } from '../api/input.js';
import { ActorService, type ActorView } from './actor.service.js';

const OPERATION = {
  description: 'An unknown actor has none of them.',
  tag: 'Keys',
  answer: { status: 200, schema: 'Actor', description: 'Everything about the actor.' },
  errors: [400],
} as const;

@Controller('v2alpha1/admin/actors')
export class ActorsController {
  constructor(
    private readonly input: RequestInput,
    private readonly actors: ActorService,
  ) {}

  @Get(':actor_id')
  @Describe<KeyOperation>({
    ...OPERATION,
    id: 'adminGetActor',
    summary: 'Get the keys, tokens, usage and portal sessions of an actor',
  })
  get(@Param('actor_id') actorId: string): Promise<ActorView> {
    return this.viewOf(this.input.body({ actor_id: actorId }));
  }

  /** Gateways refuse paths that servers may read differently, such as those with an encoded slash. */
  @Get()
  @Describe<KeyOperation>({
    ...OPERATION,
    id: 'adminFindActor',
    summary: 'The same for an id with characters that a path cannot have, such as a slash',
    parameters: [parameter('query', 'actor_id', { minLength: 1 }, { required: true })],
  })
  find(@Query() query: object): Promise<ActorView> {
    return this.viewOf(this.input.query(query));
  }

  private viewOf(reader: InputReader): Promise<ActorView> {
    const actorId = reader.text('actor_id', { min: 1 });
    reader.throwIfInvalid();
    return this.actors.view(actorId);
  }
}
