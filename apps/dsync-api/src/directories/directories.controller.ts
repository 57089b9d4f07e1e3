import {
  type DirectoryChanges,
  type DirectorySync,
  type NewDirectory,
} from '@gatehouse/directory-sync';
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
  Res,
} from '@nestjs/common';
import { ApiBody, ApiQuery } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { answer } from '../management/answer.js';
import { jsonObject } from '../management/json-object.pipe.js';
import { ManagementController } from '../management/management.decorators.js';
import { Answers } from '../openapi/answers.js';
import * as schemas from '../openapi/directory.schemas.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

interface PageQuery {
  pageOffset?: number;
  pageLimit?: number;
}

@ManagementController('Directories')
export class DirectoriesController {
  constructor(@Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync) {}

  @Post()
  @ApiBody({ type: schemas.NewDirectory })
  @Answers({ data: schemas.Directory, status: 201, faults: [400, 413, 415] })
  async create(@Body(jsonObject) body: unknown, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.directories.create(body as NewDirectory), 201);
  }

  @Get()
  @ApiQuery({ name: 'tenant', required: false })
  @ApiQuery({ name: 'product', required: false })
  @ApiQuery({ name: 'pageOffset', required: false, type: Number })
  @ApiQuery({ name: 'pageLimit', required: false, type: Number })
  @Answers({ data: [schemas.Directory], faults: [400] })
  async list(
    @Query() query: { tenant?: string; product?: string } & PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { tenant, product } = query;
    return answer(
      reply,
      tenant === undefined && product === undefined
        ? await this.sync.directories.getAll(query)
        : await this.sync.directories.getByTenantAndProduct(tenant ?? '', product ?? ''),
    );
  }

  @Get('product')
  @ApiQuery({ name: 'product' })
  @ApiQuery({ name: 'pageOffset', required: false, type: Number })
  @ApiQuery({ name: 'pageLimit', required: false, type: Number })
  @Answers({ data: [schemas.Directory], faults: [400] })
  async listOfProduct(
    @Query() query: { product?: string } & PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { product, pageOffset, pageLimit } = query;
    return answer(reply, await this.sync.directories.filterBy({ product, pageOffset, pageLimit }));
  }

  @Get(':id')
  @Answers({ data: schemas.Directory, faults: [404] })
  async get(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.directories.get(id));
  }

  @Patch(':id')
  @ApiBody({ type: schemas.DirectoryChanges })
  @Answers({ data: schemas.Directory, faults: [400, 404, 413, 415] })
  async update(
    @Param('id') id: string,
    @Body(jsonObject) body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.directories.update(id, body as DirectoryChanges));
  }

  @Delete(':id')
  @Answers({ data: null, faults: [404] })
  async delete(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.directories.delete(id));
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiBody({ type: schemas.SecretRotation, required: false })
  @Answers({ data: schemas.Directory, faults: [400, 404, 413, 415] })
  async rotateSecret(
    @Param('id') id: string,
    @Body(jsonObject) body: { overlap?: string | number },
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.directories.rotateSecret(id, body.overlap));
  }

  @Get(':id/status')
  @Answers({ data: schemas.DirectoryStatus, faults: [404] })
  async status(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.directories.status(id));
  }
}
