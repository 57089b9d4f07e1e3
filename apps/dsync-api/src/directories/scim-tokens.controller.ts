import {
  type DirectorySync,
  type NewScimTokenInput,
  type ScimTokenChanges,
  type ScimTokenRotation,
} from '@gatehouse/directory-sync';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { arrayOf, Describe, type Schema, schemaRef, NULL } from '@gatehouse/nest-kit/openapi';
import { Body, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { jsonObject } from '../management/json-object.pipe.js';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

const ALL = ':directoryId/scim-tokens';
const ONE = `${ALL}/:id`;

function operation(
  id: string,
  summary: string,
  data: string | Schema,
  more: Partial<DsyncOperation> = {},
): DsyncOperation {
  const shared = { tag: 'SCIM tokens', answer: done(data), errors: [400, 404] } as const;
  return { id, summary, ...shared, ...more };
}

/** The tokens with which identity providers authenticate, beside the SCIM secret of a directory. */
@ManagementController()
export class ScimTokensController {
  private readonly tokens: DirectorySync['scimTokens'];

  constructor(
    @Inject(DIRECTORY_SYNC) sync: DirectorySync,
    private readonly calls: AdminCalls,
  ) {
    this.tokens = sync.scimTokens;
  }

  @Get(ALL)
  @Describe<DsyncOperation>(
    operation(
      'listScimTokens',
      'List the SCIM tokens of a directory, the oldest first',
      arrayOf(schemaRef('ScimToken')),
    ),
  )
  list(@Param('directoryId') directoryId: string) {
    return this.tokens.list(directoryId);
  }

  @Post(ALL)
  @Describe<DsyncOperation>(
    operation('createScimToken', 'Create a SCIM token', NULL, {
      description: 'A directory has at most ten. The secret is shown only in this response.',
      body: 'ScimTokenInput',
      answer: done('ScimTokenSecret', 201),
      errors: [400, 404, 409],
    }),
  )
  create(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Body(jsonObject) body: NewScimTokenInput,
  ) {
    const call = this.calls.of(request);
    return this.tokens.create(directoryId, body, call);
  }

  @Get(ONE)
  @Describe<DsyncOperation>(operation('getScimToken', 'Get a SCIM token', 'ScimToken'))
  get(@Param('directoryId') directoryId: string, @Param('id') id: string) {
    return this.tokens.get(directoryId, id);
  }

  @Patch(ONE)
  @Describe<DsyncOperation>(
    operation('updateScimToken', 'Change the name or the expiry of a SCIM token', 'ScimToken', {
      description: 'A later expiry makes a token valid again that has expired.',
      body: 'ScimTokenChanges',
      errors: [400, 404, 409],
    }),
  )
  update(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Param('id') id: string,
    @Body(jsonObject) body: ScimTokenChanges,
  ) {
    const call = this.calls.of(request);
    return this.tokens.update(directoryId, id, body, call);
  }

  @Delete(ONE)
  @Describe<DsyncOperation>(
    operation('deleteScimToken', 'Revoke a SCIM token', NULL, {
      description: 'It is refused at once, and its previous secret too.',
    }),
  )
  delete(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Param('id') id: string,
  ) {
    return this.tokens.delete(directoryId, id, this.calls.of(request));
  }

  @Post(`${ONE}/rotate-secret`)
  @HttpCode(200)
  @Describe<DsyncOperation>(
    operation('rotateScimToken', 'Replace the secret of a SCIM token', 'ScimTokenSecret', {
      description: 'The secret is shown only in this response.',
      body: 'ScimTokenRotation',
      isBodyOptional: true,
    }),
  )
  rotate(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Param('id') id: string,
    @Body(jsonObject) body: ScimTokenRotation,
  ) {
    const call = this.calls.of(request);
    return this.tokens.rotate(directoryId, id, body, call);
  }

  @Post(':id/retire-secret')
  @HttpCode(200)
  @Describe<DsyncOperation>(
    operation('retireDirectorySecret', 'Remove the SCIM secret of a directory', NULL, {
      description:
        'Only its tokens are valid then. Without a valid token, 409. `rotate-secret` gives the directory ' +
        'a secret again.',
      errors: [400, 404, 409],
    }),
  )
  retireSecret(@Req() request: FastifyRequest, @Param('id') id: string) {
    return this.tokens.retireSecret(id, this.calls.of(request));
  }
}
