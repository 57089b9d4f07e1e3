import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply } from 'fastify';
import { accentAsset, type Asset, assets } from './layout.js';

/** The stylesheet, the colors of accents, and the icon. */
@Injectable()
export class AssetRoutes implements NativeRoutes {
  register(scope: FastifyInstance): void {
    for (const asset of assets) scope.get(asset.path, (_request, reply) => send(reply, asset));
    scope.get<{ Params: { file: string } }>('/assets/accents/:file', ({ params }, reply) => {
      const asset = accentAsset(params.file);
      if (!asset) throw new DomainError(KitErrors.NOT_FOUND);
      return send(reply, asset);
    });
  }
}

function send(reply: FastifyReply, { contentType, body }: Asset): FastifyReply {
  return reply
    .header('content-type', contentType)
    .header('cache-control', 'public, max-age=31536000, immutable')
    .send(body);
}
