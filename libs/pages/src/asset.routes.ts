import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply } from 'fastify';
import { accentAsset, type Asset, assets } from './layout.js';

/** The stylesheet, the colors of accents, and the icon. */
@Injectable()
export class AssetRoutes implements NativeRoutes {
  register(scope: FastifyInstance): void {
    for (const asset of assets) scope.get(asset.path, (_request, reply) => sendAsset(reply, asset));
    scope.get<{ Params: { file: string } }>('/assets/accents/:file', ({ params }, reply) => {
      const asset = accentAsset(params.file);
      if (!asset) throw new DomainError(KitErrors.NOT_FOUND);
      return sendAsset(reply, asset);
    });
  }
}

/** Its name changes with its content, so it is cached forever. */
export function sendAsset(reply: FastifyReply, { contentType, body }: Asset): FastifyReply {
  return reply
    .header('content-type', contentType)
    .header('cache-control', 'public, max-age=31536000, immutable')
    .send(body);
}
