import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';

/** Makes the process's metrics registry injectable by its class, prom-client's `Registry`. */
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
