import { type ControlScope } from '@gatehouse/schemas';
import { RouteConfig } from '@nestjs/platform-fastify';

/** The control scope that an issued key needs for a route. */
export const NeedsScope = (scope: ControlScope) => RouteConfig({ admin: { scope } });
