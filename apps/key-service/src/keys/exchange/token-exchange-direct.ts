/**
 * The direct route of token exchange. Whatever is refused, is not in memory or may happen only once goes to
 * the Fastify route, which calls the same service.
 */
import { ClientAddresses } from '@gatehouse/kit/clients';
import { type DirectResponse, DirectRoutes } from '@gatehouse/nest-kit/http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type IncomingMessage } from 'node:http';
import { TOKEN_PATH } from './oauth.types.js';
import {
  BODY_BYTES_MAX,
  exchangeContextOf,
  readTokenExchange,
  TOKEN_HEADERS,
  tokenJson,
} from './token-exchange.routes.js';
import { TokenExchangeService } from './token-exchange.service.js';

const FORM = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i;
const HEADERS = Object.entries(TOKEN_HEADERS).flat();

@Injectable()
export class TokenExchangeDirect implements OnModuleInit {
  constructor(
    private readonly directRoutes: DirectRoutes,
    private readonly addresses: ClientAddresses,
    private readonly service: TokenExchangeService,
  ) {}

  onModuleInit(): void {
    this.directRoutes.add({
      method: 'POST',
      route: TOKEN_PATH,
      bodyBytesMax: BODY_BYTES_MAX,
      accepts: ({ headers }) => FORM.test(headers['content-type'] ?? ''),
      answer: (request, body, _parameter, id) => this.answer(request, body, id),
    });
  }

  private answer(
    raw: IncomingMessage,
    body: Buffer,
    id: string,
  ): Promise<DirectResponse> | undefined {
    const exchange = readTokenExchange(body.toString());
    const context = exchangeContextOf(this.addresses, { raw, id });
    return this.service
      .exchangeAtOnce(exchange, context)
      ?.then((token) => ({ status: 200, headers: HEADERS, body: tokenJson(exchange, token) }));
  }
}
