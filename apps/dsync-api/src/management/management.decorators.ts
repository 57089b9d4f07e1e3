import { applyDecorators, Controller } from '@nestjs/common';
import { ApiBearerAuth, ApiSecurity, ApiTags } from '@nestjs/swagger';

/** Where the management API is served; the second path is the name that Polis uses. */
export const MANAGEMENT_PATHS = ['api/v1/dsync', 'api/v1/directory-sync'];

/** A controller of the management API: its paths and its entry in the API description. */
export function ManagementController(tag: string, path = ''): ClassDecorator {
  return applyDecorators(
    Controller(MANAGEMENT_PATHS.map((base) => (path === '' ? base : `${base}/${path}`))),
    ApiTags(tag),
    ApiSecurity('api-key'),
    ApiBearerAuth(),
  );
}
