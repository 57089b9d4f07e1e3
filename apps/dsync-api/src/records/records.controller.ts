import { type DirectorySync } from '@gatehouse/directory-sync';
import { applyDecorators, Get, Inject, Param, Query, Res } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { answer } from '../management/answer.js';
import { ManagementController } from '../management/management.decorators.js';
import { Answers } from '../openapi/answers.js';
import * as schemas from '../openapi/record.schemas.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

interface ScopeQuery {
  tenant?: string;
  product?: string;
  directoryId?: string;
  pageOffset?: number;
  pageLimit?: number;
}

const SCOPE = 'Either tenant and product, or directoryId, is required.';

function ApiScope(): MethodDecorator {
  return applyDecorators(
    ...['tenant', 'product', 'directoryId'].map((name) =>
      ApiQuery({ name, required: false, description: SCOPE }),
    ),
  );
}

function ApiPage(): MethodDecorator {
  return applyDecorators(
    ApiQuery({ name: 'pageOffset', required: false, type: Number }),
    ApiQuery({ name: 'pageLimit', required: false, type: Number, description: 'At most 1000.' }),
  );
}

/** Users and groups from identity providers. */
@ManagementController('Users and groups')
export class RecordsController {
  constructor(@Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync) {}

  @Get('users')
  @ApiScope()
  @ApiPage()
  @Answers({ data: [schemas.User], faults: [400] })
  async users(@Query() query: ScopeQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.users.inScope(query).getAll(pageOf(query)));
  }

  @Get('users/:id')
  @ApiScope()
  @Answers({ data: schemas.User, faults: [400, 404] })
  async user(
    @Param('id') id: string,
    @Query() query: ScopeQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.users.inScope(query).get(id));
  }

  @Get('groups')
  @ApiScope()
  @ApiPage()
  @Answers({ data: [schemas.Group], faults: [400] })
  async groups(@Query() query: ScopeQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.groups.inScope(query).getAll(pageOf(query)));
  }

  @Get('groups/:id')
  @ApiScope()
  @Answers({ data: schemas.Group, faults: [400, 404] })
  async group(
    @Param('id') id: string,
    @Query() query: ScopeQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.groups.inScope(query).get(id));
  }

  @Get('groups/:id/members')
  @ApiScope()
  @ApiPage()
  @Answers({ data: [schemas.GroupMember], faults: [400, 404] })
  async members(
    @Param('id') groupId: string,
    @Query() query: ScopeQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const groups = this.sync.groups.inScope(query);
    return answer(reply, await groups.getGroupMembers({ groupId, ...pageOf(query) }));
  }
}

function pageOf({ pageOffset, pageLimit }: ScopeQuery) {
  return { pageOffset, pageLimit };
}
