import { type DirectorySync, type KeyLinkInput } from '@gatehouse/directory-sync';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { Describe, NULL, optionalParameters, parameter } from '@gatehouse/nest-kit/openapi';
import { Body, Delete, Get, Inject, Put, Query, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { jsonObject } from '../management/json-object.pipe.js';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation, listOf, PAGE_QUERY } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

/** Which people of directories are which actors of keys, and what stops their keys. */
@ManagementController('key-links')
export class KeyLinksController {
  private readonly links: DirectorySync['keyLinks'];

  constructor(
    @Inject(DIRECTORY_SYNC) sync: DirectorySync,
    private readonly calls: AdminCalls,
  ) {
    this.links = sync.keyLinks;
  }

  @Put()
  @Describe<DsyncOperation>({
    id: 'setKeyLink',
    summary: 'Link the people of a tenant and product with the actors of keys',
    tag: 'Key links',
    body: 'KeyLinkInput',
    answer: done('KeyLink'),
    errors: [400],
  })
  put(@Req() request: FastifyRequest, @Body(jsonObject) body: KeyLinkInput) {
    return this.links.put(body, this.calls.of(request));
  }

  @Get()
  @Describe<DsyncOperation>({
    id: 'listKeyLinks',
    summary: 'List key links, or that of a tenant and product',
    tag: 'Key links',
    parameters: [...PAGE_QUERY, ...optionalParameters('query', { tenant: {}, product: {} })],
    answer: listOf('KeyLink'),
    errors: [400],
  })
  list(
    @Query()
    query: {
      tenant?: string;
      product?: string;
      pageOffset?: number;
      pageLimit?: number;
    },
  ) {
    return this.links.getPage(query);
  }

  @Delete()
  @Describe<DsyncOperation>({
    id: 'deleteKeyLink',
    summary: 'Delete the key link of a tenant and product; keys stay as they are',
    tag: 'Key links',
    parameters: [
      parameter('query', 'tenant', { example: 'customer-17' }, { required: true }),
      parameter('query', 'product', { example: 'shop' }, { required: true }),
    ],
    answer: done(NULL),
    errors: [400, 404],
  })
  delete(
    @Req() request: FastifyRequest,
    @Query() { tenant, product }: { tenant: string; product: string },
  ) {
    return this.links.delete({ tenant, product }, this.calls.of(request));
  }
}
