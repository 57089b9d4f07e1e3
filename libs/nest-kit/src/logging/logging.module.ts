import { type DynamicModule, Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { LOGGER } from './logger.js';

@Module({})
export class LoggingModule {
  static forRoot(logger: Logger): DynamicModule {
    return {
      module: LoggingModule,
      global: true,
      providers: [{ provide: LOGGER, useValue: logger }],
      exports: [LOGGER],
    };
  }
}
