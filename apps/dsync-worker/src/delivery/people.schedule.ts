import { type Delivery } from '@gatehouse/directory-sync';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { DELIVERY } from '../delivery.token.js';

/** A small directory is with the key service within a second of its change. */
const INTERVAL_MS = 500;

/** Sends the people of linked directories to the key service, after changes that log no events. */
@Injectable()
export class PeopleSchedule extends PeriodicWork {
  constructor(
    @Inject(DELIVERY) private readonly delivery: Delivery,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      run: (signal) => Promise.resolve(delivery.sendPeople(signal)),
      intervalMs: INTERVAL_MS,
      logger,
      failureMessage: 'people not sent to the key service; it is tried again',
    });
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy();
    await this.delivery.peopleSent();
  }
}
