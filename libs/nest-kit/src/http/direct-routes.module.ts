import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DirectRoutes } from './direct-routes.js';

/** Lets any module add routes to those of the server. */
@Global()
@Module({})
export class DirectRoutesModule {
  static forRoot(directRoutes: DirectRoutes): DynamicModule {
    return {
      module: DirectRoutesModule,
      providers: [{ provide: DirectRoutes, useValue: directRoutes }],
      exports: [DirectRoutes],
    };
  }
}
