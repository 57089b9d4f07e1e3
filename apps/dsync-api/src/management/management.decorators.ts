import { Controller } from '@nestjs/common';

/** The paths of the management API; the second one is for clients of Polis. */
export const MANAGEMENT_PATHS = ['api/v1/dsync', 'api/v1/directory-sync'];

/** A controller of the management API, with all of its paths. */
export function ManagementController(path = ''): ClassDecorator {
  return Controller(MANAGEMENT_PATHS.map((base) => (path === '' ? base : `${base}/${path}`)));
}
