import { applyDecorators, Controller, UseInterceptors } from '@nestjs/common';
import { ResultInterceptor } from './result.interceptor.js';

/** The paths of the management API; the second one is for clients of Polis. */
export const MANAGEMENT_PATHS = ['api/v1/dsync', 'api/v1/directory-sync'];

/** A controller of the management API, with all of its paths, whose methods return results. */
export function ManagementController(path = ''): ClassDecorator {
  const paths = MANAGEMENT_PATHS.map((base) => (path === '' ? base : `${base}/${path}`));
  return applyDecorators(Controller(paths), UseInterceptors(new ResultInterceptor()));
}
