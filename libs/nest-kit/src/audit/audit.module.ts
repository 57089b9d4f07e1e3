import { type DynamicModule, Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { Sql } from '@gatehouse/kit/sql';
import { LOGGER } from '../logging/logger.js';
import { AuditEvents, type AuditTable } from '@gatehouse/kit/audit';
import { AuditRetention } from './audit-retention.js';
import { AuditWriter } from './audit-writer.js';
import { DeniedCalls } from './denied-calls.js';

/** The audit log of a service. */
@Module({})
export class AuditModule {
  static forRoot(table: AuditTable, { ttlSeconds }: { ttlSeconds: number }) {
    return {
      module: AuditModule,
      global: true,
      providers: [
        {
          provide: AuditEvents,
          inject: [Sql],
          useFactory: (sql: Sql) => new AuditEvents(sql, table),
        },
        {
          provide: AuditWriter,
          inject: [AuditEvents, LOGGER],
          useFactory: (events: AuditEvents, logger: Logger) => new AuditWriter(events, logger),
        },
        {
          provide: DeniedCalls,
          inject: [AuditWriter],
          useFactory: (writer: AuditWriter) => new DeniedCalls(writer),
        },
        {
          provide: AuditRetention,
          inject: [AuditEvents, LOGGER],
          useFactory: (events: AuditEvents, logger: Logger) =>
            new AuditRetention(events, ttlSeconds, logger),
        },
      ],
      exports: [AuditEvents, AuditWriter, DeniedCalls],
    } satisfies DynamicModule;
  }
}
