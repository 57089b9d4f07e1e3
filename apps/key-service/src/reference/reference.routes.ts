/**
 * The reference of all services, for the admin surface of the gateway. The build writes it beside the program
 * (tools/reference), compressed.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

const FOLDER = new URL('./reference/', import.meta.url);
/** Names that lead nowhere else. */
const FILE = /^(?:[\w-]+\/)?[\w-]+\.([a-z]+)$/;
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};
/** Own files alone, and requests to no one else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
const unpacked = promisify(gunzip);

@Injectable()
export class ReferenceRoutes implements NativeRoutes {
  register(scope: FastifyInstance): void {
    scope.get('/docs', (request, reply) => send(request, reply, 'index.html'));
    scope.get<{ Params: { '*': string } }>('/docs/*', (request, reply) =>
      send(request, reply, request.params['*']),
    );
  }
}

async function send(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  name: string,
): Promise<FastifyReply> {
  const type = TYPES[FILE.exec(name)?.[1] ?? ''];
  if (type === undefined) throw new DomainError(KitErrors.NOT_FOUND);
  const file = await readFile(new URL(`${name}.gz`, FOLDER)).catch((cause: unknown) => {
    throw new DomainError(KitErrors.NOT_FOUND, { cause });
  });
  const tag = `W/"${createHash('sha256').update(file).digest('base64url')}"`;
  void reply.headers({
    'content-type': type,
    'content-security-policy': POLICY,
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
    etag: tag,
  });
  if (headers['if-none-match'] === tag) return reply.code(304).send();
  const isPacked = /\bgzip\b(?!;q=0)/.test(headers['accept-encoding'] ?? '');
  return isPacked
    ? reply.header('content-encoding', 'gzip').send(file)
    : reply.send(await unpacked(file));
}
