import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { LaneQueue } from '@gatehouse/delivery';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { BoardServer } from './board-server.js';

export const BOARD_PATH = '/admin/queues';

const UI_CONFIG = {
  boardTitle: 'Gatehouse lanes',
  hideDocsLink: true,
  // Both need commands of Redis that its access list may refuse.
  hideRedisDetails: true,
  showWorkers: false,
};

/** Bull Board, which shows the jobs that wake lanes. */
@Injectable()
export class BoardRoutes implements NativeRoutes {
  private readonly server = new BoardServer(BOARD_PATH, () => this.open());
  private readonly board = createBullBoard({
    queues: [],
    serverAdapter: this.server,
    options: { uiConfig: UI_CONFIG },
  });
  private isOpen = false;

  constructor(private readonly lanes: LaneQueue) {}

  async register(scope: FastifyInstance): Promise<void> {
    await scope.register((inner) => this.server.register(inner), { prefix: BOARD_PATH });
  }

  /** Opens the queue with the first request, because Redis may be away at the start. */
  private async open(): Promise<void> {
    if (this.isOpen) return;
    try {
      const queue = await this.lanes.open();
      this.board.addQueue(new BullMQAdapter(queue, { readOnlyMode: true }));
      this.isOpen = true;
    } catch (error) {
      throw new DomainError(KitErrors.UNAVAILABLE, { cause: error });
    }
  }
}
