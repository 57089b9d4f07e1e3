import { type Type } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';

/**
 * Routes on Fastify itself, for hot paths and for bodies that controllers do not read. Listed in
 * `ServiceDefinition.nativeRoutes`; parsers and hooks stay within `scope`.
 */
export interface NativeRoutes {
  register(scope: FastifyInstance): void | Promise<void>;
}

/** Resolves each class from the container and registers it in a separate scope. */
export function registerNativeRoutes(
  app: NestFastifyApplication,
  classes: readonly Type<NativeRoutes>[],
): void {
  const fastify = app.getHttpAdapter().getInstance();
  for (const routes of classes.map((each) => app.get(each))) {
    // Not awaited: that would start Fastify before Nest sets its error handler.
    void fastify.register(async (scope: FastifyInstance) => {
      await routes.register(scope);
    });
  }
}
