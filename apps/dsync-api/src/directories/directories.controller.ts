import {
  type DirectoryChanges,
  type DirectorySync,
  type HealthFilter,
  type NewDirectory,
} from '@gatehouse/directory-sync';
import { InputReader } from '@gatehouse/kit/input';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { Describe, enumOf, NULL, optionalParameters, text } from '@gatehouse/nest-kit/openapi';
import {
  Body,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Query,
  Req,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyRequest } from 'fastify';
import { jsonObject } from '../management/json-object.pipe.js';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation, PAGE_QUERY, listOf } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';
import { SecretsAudit } from './secrets-audit.js';
import { HEALTH_QUERY, TYPES } from '../openapi/directory.schemas.js';
import { SECRETS_QUERY, type SecretsQuery, visibleSecrets } from './visible-secrets.js';

interface PageQuery {
  pageOffset?: number;
  pageLimit?: number;
}

@ManagementController()
export class DirectoriesController {
  constructor(
    @Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync,
    private readonly calls: AdminCalls,
    private readonly secrets: SecretsAudit,
  ) {}

  @Post()
  @Describe<DsyncOperation>({
    id: 'createDirectory',
    summary: 'Create a directory',
    tag: 'Directories',
    body: 'DirectoryInput',
    answer: done('Directory', 201),
    errors: [400],
  })
  create(@Req() request: FastifyRequest, @Body(jsonObject) body: unknown) {
    const call = this.calls.of(request);
    return this.sync.directories.create(body as NewDirectory, call);
  }

  @Get()
  @Describe<DsyncOperation>({
    id: 'listDirectories',
    summary: 'List directories with their health, or those of a tenant and product',
    description: 'With state, has_errors, quiet or a page, a tenant or a product alone suffices.',
    tag: 'Directories',
    parameters: [
      ...PAGE_QUERY,
      ...optionalParameters('query', { product: {}, tenant: {} }),
      ...HEALTH_QUERY,
      ...SECRETS_QUERY,
    ],
    answer: listOf('ListedDirectory'),
    errors: [400],
  })
  async list(
    @Req() request: FastifyRequest,
    @Query() query: { tenant?: string; product?: string } & HealthFilter & PageQuery & SecretsQuery,
  ) {
    const { tenant, product, state, has_errors, quiet, pageOffset, pageLimit } = query;
    const { directories } = this.sync;
    const secrets = visibleSecrets(request, query);
    const ofHealth = [state, has_errors, quiet].some((each) => each !== undefined);
    const ofScope = !ofHealth && (tenant !== undefined || product !== undefined);
    const isPaged = pageOffset !== undefined || pageLimit !== undefined;
    if (ofScope && (!isPaged || tenant === '' || product === '')) {
      const found = await directories.getByTenantAndProduct(tenant ?? '', product ?? '', secrets);
      return this.secrets.ofList(request, found);
    }
    const by = { tenant, product, state, has_errors, quiet };
    const filter = { ...by, pageOffset, pageLimit, ...secrets };
    return this.secrets.ofPage(request, await directories.getPage(filter));
  }

  @Get('product')
  @Describe<DsyncOperation>({
    id: 'listDirectoriesOfProduct',
    summary: 'List the directories of a product, or of a provider type',
    tag: 'Directories',
    parameters: [
      ...PAGE_QUERY,
      ...optionalParameters('query', {
        product: text('Required without provider.', { example: 'shop' }),
        provider: enumOf(TYPES, { description: 'A type of directory.' }),
      }),
      ...HEALTH_QUERY,
      ...SECRETS_QUERY,
    ],
    answer: listOf('ListedDirectory'),
    errors: [400],
  })
  async listOfProduct(
    @Req() request: FastifyRequest,
    @Query()
    query: { product?: string; provider?: string } & HealthFilter & PageQuery & SecretsQuery,
  ) {
    const { product, provider, state, has_errors, quiet, pageOffset, pageLimit } = query;
    const secrets = visibleSecrets(request, query);
    const by = { product, provider, state, has_errors, quiet };
    const filter = { ...by, pageOffset, pageLimit, ...secrets };
    const page = await this.sync.directories.getFilteredPage(filter);
    return this.secrets.ofPage(request, page);
  }

  @Get(':id')
  @Describe<DsyncOperation>({
    id: 'getDirectory',
    summary: 'Get a directory',
    tag: 'Directories',
    parameters: SECRETS_QUERY,
    answer: done('Directory'),
    errors: [404],
  })
  async get(@Req() request: FastifyRequest, @Param('id') id: string, @Query() query: SecretsQuery) {
    const found = await this.sync.directories.get(id, visibleSecrets(request, query));
    return this.secrets.ofOne(request, found);
  }

  @Patch(':id')
  @Describe<DsyncOperation>({
    id: 'updateDirectory',
    summary: 'Change a directory',
    tag: 'Directories',
    body: 'DirectoryChanges',
    answer: done('Directory'),
    errors: [400, 404],
  })
  update(@Req() request: FastifyRequest, @Param('id') id: string, @Body(jsonObject) body: unknown) {
    const call = this.calls.of(request);
    return this.sync.directories.update(id, body as DirectoryChanges, call);
  }

  @Delete(':id')
  @Describe<DsyncOperation>({
    id: 'deleteDirectory',
    summary: 'Delete a directory with its users and groups',
    tag: 'Directories',
    answer: done(NULL),
    errors: [404],
  })
  delete(@Req() request: FastifyRequest, @Param('id') id: string) {
    return this.sync.directories.delete(id, this.calls.of(request));
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Describe<DsyncOperation>({
    id: 'rotateDirectorySecret',
    summary: 'Replace the SCIM secret of a directory',
    tag: 'Directories',
    body: 'SecretRotation',
    isBodyOptional: true,
    answer: done('Directory'),
    errors: [400, 404],
  })
  rotateSecret(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Body(jsonObject) body: { overlap?: string | number },
  ) {
    const input = InputReader.of(body, { unknown: 'refuse', nulls: 'refuse' });
    input.allow(['overlap']);
    input.throwIfInvalid();
    const call = this.calls.of(request);
    return this.sync.directories.rotateSecret(id, body.overlap, call);
  }

  // The consent decides whose users the directory has, so this takes more than the read scope.
  @Get(':id/workspace/authorization-url')
  @RouteConfig({ admin: { scope: 'dsync:admin' } })
  @Describe<DsyncOperation>({
    id: 'getAuthorizationUrl',
    summary: 'Get the address at which an administrator connects a workspace directory',
    description: 'Needs the scope `dsync:admin`.',
    tag: 'Directories',
    answer: done('AuthorizationUrl'),
    errors: [400, 404, 502],
  })
  authorizationUrl(@Req() request: FastifyRequest, @Param('id') id: string) {
    return this.sync.workspace.generateAuthorizationUrl(id, this.calls.of(request));
  }

  @Delete(':id/workspace/connection')
  @Describe<DsyncOperation>({
    id: 'disconnectDirectory',
    summary: 'Disconnect a workspace directory from its account',
    description:
      'Forgets the tokens and the account, so that an administrator of any account can connect the ' +
      'directory. Users and groups stay.',
    tag: 'Directories',
    answer: done(NULL),
    errors: [400, 404],
  })
  disconnect(@Req() request: FastifyRequest, @Param('id') id: string) {
    return this.sync.workspace.disconnect(id, this.calls.of(request));
  }

  @Get(':id/status')
  @Describe<DsyncOperation>({
    id: 'getDirectoryStatus',
    summary: 'The state of the deliveries of a directory',
    tag: 'Directories',
    answer: done('DirectoryStatus'),
    errors: [404],
  })
  status(@Param('id') id: string) {
    return this.sync.directories.status(id);
  }
}
