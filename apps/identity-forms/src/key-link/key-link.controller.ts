import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { Body, Controller, Delete, Get, HttpCode, Put, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type FormsOperation } from '../openapi/operation.js';
import { type KeyLinkRow } from './key-link.repository.js';
import { KeyLinkService } from './key-link.service.js';

@Controller('v1/key-link')
export class KeyLinkController {
  constructor(
    private readonly links: KeyLinkService,
    private readonly calls: AdminCalls,
  ) {}

  @Get()
  @Describe<FormsOperation>({
    id: 'getKeyLink',
    summary: 'Get what happens to the keys of deleted identities',
    tag: 'Identities',
    answer: { status: 200, schema: 'KeyLink' },
    errors: [404],
  })
  get(): Promise<KeyLinkRow> {
    return this.links.get();
  }

  @Put()
  @HttpCode(200)
  @Describe<FormsOperation>({
    id: 'putKeyLink',
    summary: 'Set what happens to the keys of deleted identities',
    tag: 'Identities',
    body: 'KeyLinkInput',
    answer: { status: 200, schema: 'KeyLink' },
    errors: [400],
  })
  put(@Body() body: unknown, @Req() request: FastifyRequest): Promise<KeyLinkRow> {
    return this.links.put(body, this.calls.of(request));
  }

  @Delete()
  @HttpCode(204)
  @Describe<FormsOperation>({
    id: 'deleteKeyLink',
    summary: 'Let identities be deleted without an effect on keys',
    tag: 'Identities',
    answer: { status: 204 },
    errors: [404],
  })
  delete(@Req() request: FastifyRequest): Promise<void> {
    return this.links.delete(this.calls.of(request));
  }
}
