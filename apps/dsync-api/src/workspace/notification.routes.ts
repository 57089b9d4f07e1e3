/**
 * The addresses of notification channels. Providers send no body, or JSON of a media type that is not
 * exact, so the body is read as bytes. Each answer is short and needs the database only.
 */
import { type DirectorySync, NOTIFICATIONS_PATH } from '@gatehouse/directory-sync';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Registry } from 'prom-client';
import { DIRECTORY_SYNC } from '../sync.module.js';
import { notificationMetrics } from './notification.metrics.js';

const BODY_BYTES_MAX = 256 * 1024;
/** Limit per channel and process; providers repeat refused notifications. */
const NOTIFICATIONS_PER_SECOND = 50;
const WINDOW_MS = 1_000;
const CHANNELS_MAX = 10_000;
const NO_BODY = Buffer.alloc(0);

type NotificationHttpRequest = FastifyRequest<{
  Params: { channelId: string };
  Querystring: Record<string, unknown>;
}>;

/** Public: the token of a channel proves each notification. */
@Injectable()
export class NotificationRoutes implements NativeRoutes {
  private readonly counts = new LRUCache<string, { count: number }>({
    max: CHANNELS_MAX,
    ttl: WINDOW_MS,
  });
  private readonly observe: ReturnType<typeof notificationMetrics>;

  constructor(
    @Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync,
    registry: Registry,
  ) {
    this.observe = notificationMetrics(registry);
  }

  register(scope: FastifyInstance): void {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
      parsed(null, body);
    });
    scope.post(
      `${NOTIFICATIONS_PATH}/:channelId`,
      { bodyLimit: BODY_BYTES_MAX },
      (request: NotificationHttpRequest, reply) => this.receive(request, reply),
    );
  }

  private async receive(
    { params, headers, query, body }: NotificationHttpRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    // Only well-formed channel IDs are counted: a text of any length would stay in memory.
    if (isUuid(params.channelId) && this.isLimited(params.channelId)) {
      this.observe('limited');
      throw new DomainError(KitErrors.UNAVAILABLE);
    }
    const request = { headers, query, body: Buffer.isBuffer(body) ? body : NO_BODY };
    const result = await this.sync.workspaceNotifications.receive(params.channelId, request);
    this.observe(result.outcome);
    switch (result.outcome) {
      case 'unknown':
      case 'forged':
        throw new DomainError(KitErrors.NOT_FOUND);
      case 'handshake':
        return reply.type('text/plain; charset=utf-8').send(result.text);
      default:
        return reply.status(202).send();
    }
  }

  private isLimited(channelId: string): boolean {
    const counted = this.counts.get(channelId);
    if (!counted) this.counts.set(channelId, { count: 1 });
    else counted.count += 1;
    return (counted?.count ?? 1) > NOTIFICATIONS_PER_SECOND;
  }
}
