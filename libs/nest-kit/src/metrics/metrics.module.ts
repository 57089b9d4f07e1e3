import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';

/** Provides the metrics registry of the process, prom-client's `Registry`. */
@Module({})
export class MetricsModule {
  static forRoot(registry: Registry): DynamicModule {
    return {
      module: MetricsModule,
      global: true,
      providers: [{ provide: Registry, useValue: registry }],
      exports: [Registry],
    };
  }
}
