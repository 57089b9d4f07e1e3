import { type DirectorySync } from '@gatehouse/directory-sync';
import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Param,
  Patch,
  Post,
  Query,
  Res,
  UseGuards,
} from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { answer } from '../management/answer.js';
import { ManagementGuard } from '../management/management.guard.js';
import { MANAGEMENT_PATHS } from '../management/paths.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

@Controller(MANAGEMENT_PATHS)
@UseGuards(ManagementGuard)
export class DirectoriesController {
  constructor(@Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync) {}

  @Post()
  async create(@Body() body: never, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.directories.create(body), 201);
  }

  @Get()
  async list(
    @Query() query: { tenant?: string; product?: string; pageOffset?: number; pageLimit?: number },
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
  async listOfProduct(
    @Query() query: { product?: string; pageOffset?: number; pageLimit?: number },
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.directories.filterBy(query));
  }

  @Get(':id')
  async get(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.directories.get(id));
  }

  @Patch(':id')
  async update(
    @Param('id') id: string,
    @Body() body: never,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.directories.update(id, body));
  }

  @Delete(':id')
  async delete(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.directories.delete(id));
  }

  @Post(':id/rotate-secret')
  async rotateSecret(
    @Param('id') id: string,
    @Body() body: { overlap?: string | number } | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.directories.rotateSecret(id, body?.overlap));
  }
}
