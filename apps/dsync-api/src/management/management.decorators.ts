import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { ManagementGuard } from './management.guard.js';

/** Where the management API is served; the second path is the name that Polis uses. */
const PATHS = ['api/v1/dsync', 'api/v1/directory-sync'];

/** A controller of the management API: its paths, its guard, its entry in the API description. */
export function ManagementController(tag: string, path = ''): ClassDecorator {
  return applyDecorators(
    Controller(PATHS.map((base) => (path === '' ? base : `${base}/${path}`))),
    UseGuards(ManagementGuard),
    ApiTags(tag),
    ApiSecurity('api-key'),
    ApiBearerAuth(),
  );
}
