import { type NativeRoutes } from '@gatehouse/service-kit';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { assets } from './layout.js';

/** The stylesheet and the icon. */
@Injectable()
export class AssetRoutes implements NativeRoutes {
  register(scope: FastifyInstance): void {
    for (const { path, contentType, body } of assets) {
      scope.get(path, (_request, reply) =>
        reply
          .header('content-type', contentType)
          .header('cache-control', 'public, max-age=31536000, immutable')
          .send(body),
      );
    }
  }
}
