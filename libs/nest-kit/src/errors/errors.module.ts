import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ErrorFilter } from './error.filter.js';

/** Applies the filter to all controllers, and provides it to native routes. */
@Module({})
export class ErrorsModule {
  static forRoot(filter: ErrorFilter): DynamicModule {
    return {
      module: ErrorsModule,
      global: true,
      providers: [
        { provide: ErrorFilter, useValue: filter },
        { provide: APP_FILTER, useExisting: ErrorFilter },
      ],
      exports: [ErrorFilter],
    };
  }
}
