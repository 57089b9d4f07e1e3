import { placeNetwork } from '@gatehouse/kit/clients';
import { FairShare } from '@gatehouse/kit/tasks';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { type VerificationErrorCode } from '@gatehouse/schemas';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Logger } from 'pino';
import { type VerificationKey } from '../../store/keys/verification-key.js';
import { type Refusal, RefusalsRepository } from '../../store/refusals/refusals.repository.js';
import { BackgroundNotes } from './background-notes.js';

/** Rows that a process writes every two seconds at most. Actors share them fairly. */
export const ROWS_MAX = 200;
/** Of these, the rows of one key. */
export const ROWS_OF_KEY_MAX = 10;
const DELETE_EVERY_MS = 3_600_000;

/**
 * Notes why keys are refused: those of one reason, limit and network are one row with a count. What goes
 * beyond the bounds is not noted, so that an attack neither fills the table nor crowds out other actors.
 */
@Injectable()
export class RefusalLog extends PeriodicWork implements OnModuleInit, OnApplicationShutdown {
  private readonly notes: BackgroundNotes<Refusal>;
  private rowsOfActors = new FairShare(ROWS_MAX);
  private rowsOfKeys = new Map<string, number>();

  constructor(refusals: RefusalsRepository, @Inject(LOGGER) logger: Logger) {
    super({
      run: () => refusals.deleteOld(),
      intervalMs: DELETE_EVERY_MS,
      logger,
      failureMessage: 'old refusals could not be deleted',
    });
    this.notes = new BackgroundNotes<Refusal>({
      write: (notes) => {
        this.rowsOfActors = new FairShare(ROWS_MAX);
        this.rowsOfKeys = new Map();
        return refusals.add(notes);
      },
      logger,
      failureMessage: 'refusals could not be written',
    });
  }

  onModuleInit(): void {
    this.notes.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.notes.stop();
  }

  /** @param limitName of the limit that refused; '' for none */
  note(
    key: VerificationKey,
    reason: VerificationErrorCode,
    limitName: string,
    address: string | undefined,
    nowMs: number,
  ): void {
    const { keyId } = key;
    const network = placeNetwork(address ?? '');
    const name = `${keyId} ${reason} ${network} ${limitName}`;
    const known = this.notes.get(name);
    if (known !== undefined) {
      known.count += 1;
      known.lastMs = nowMs;
      return;
    }
    const rows = this.rowsOfKeys.get(keyId) ?? 0;
    if (rows === ROWS_OF_KEY_MAX || !this.rowsOfActors.take(key.readActorId())) return;
    this.rowsOfKeys.set(keyId, rows + 1);
    this.notes.add(name, {
      keyId,
      reason,
      limitName,
      network,
      firstMs: nowMs,
      lastMs: nowMs,
      count: 1,
    });
  }
}
