import { type Exchange } from '@gatehouse/kit/exchange';
import { type DynamicModule, Module } from '@nestjs/common';
import { EventPublisher } from './event-publisher.js';
import { EXCHANGE } from './exchange.token.js';
import { MessageClient } from './message-client.js';

/** Provides an exchange, which is closed by the program that opened it. */
@Module({})
export class ExchangeModule {
  static forRoot(exchange: Exchange): DynamicModule {
    return {
      module: ExchangeModule,
      global: true,
      providers: [{ provide: EXCHANGE, useValue: exchange }, EventPublisher, MessageClient],
      exports: [EXCHANGE, EventPublisher, MessageClient],
    };
  }
}
