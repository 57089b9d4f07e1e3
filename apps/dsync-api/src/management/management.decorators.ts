import { applyDecorators, Controller } from '@nestjs/common';
import { ApiBearerAuth, ApiSecurity, ApiTags } from '@nestjs/swagger';

/** The paths of the management API; the second one is for clients of Polis. */
export const MANAGEMENT_PATHS = ['api/v1/dsync', 'api/v1/directory-sync'];

/** A controller of the management API, with its paths and its OpenAPI tag. */
export function ManagementController(tag: string, path = ''): ClassDecorator {
  return applyDecorators(
    Controller(MANAGEMENT_PATHS.map((base) => (path === '' ? base : `${base}/${path}`))),
    ApiTags(tag),
    ApiSecurity('api-key'),
    ApiBearerAuth(),
  );
}
