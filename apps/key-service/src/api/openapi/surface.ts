/** The part of the API description that a process serves. */
import { type ApiDescription } from '@gatehouse/nest-kit/openapi';
import { type KeyServiceConfig } from '../../config.js';

const ADMIN_PATH = /^\/(?:v2alpha1\/admin|events)\//;
/** Served by every process. */
const COMMON_PATH = /^\/(?:version$|health\/)/;

export function ofSurface(
  description: ApiDescription,
  surface: KeyServiceConfig['surface'],
): ApiDescription {
  if (surface === 'all') return description;
  const paths = Object.fromEntries(
    Object.entries(description.paths).filter(
      ([path]) => COMMON_PATH.test(path) || ADMIN_PATH.test(path) === (surface === 'admin'),
    ),
  );
  const items = Object.values(paths) as Record<string, { tags: string[] }>[];
  const used = new Set(items.flatMap((item) => Object.values(item)).flatMap(({ tags }) => tags));
  return { ...description, paths, tags: description.tags.filter(({ name }) => used.has(name)) };
}
