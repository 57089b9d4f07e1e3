/**
 * The direct route of the decode endpoint: answers below Fastify when the schema is cached, the
 * caller is known at once, and the form decodes without an error. Everything else (options, other
 * media types, any error) is left to the Fastify route, which uses the same functions.
 */
import { AdminAuth } from '@gatehouse/nest-kit/admin';
import { type DirectResponse, DirectRoutes } from '@gatehouse/nest-kit/http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type IncomingMessage } from 'node:http';
import { SchemaCatalog } from '../schemas/schema-catalog.js';
import { DECODE_ROUTE, JSON_UTF8 } from './decoding.routes.js';
import { DecodingService } from './decoding.service.js';
import { plainReaderOf } from './form-body.js';

/** In larger bodies the framework is a small part of the work, and decoding twice costs more. */
const BODY_BYTES_MAX = 16 * 1024;
const HEADERS = ['content-type', JSON_UTF8];

@Injectable()
export class DecodeDirect implements OnModuleInit {
  constructor(
    private readonly directRoutes: DirectRoutes,
    private readonly auth: AdminAuth,
    private readonly catalog: SchemaCatalog,
    private readonly decoding: DecodingService,
  ) {}

  onModuleInit(): void {
    this.directRoutes.add({
      method: 'POST',
      route: DECODE_ROUTE,
      bodyBytesMax: BODY_BYTES_MAX,
      accepts: (request) => this.accepts(request),
      answer: (request, body, schemaId) => this.answer(request, body, schemaId),
    });
  }

  private accepts({ headers }: IncomingMessage): boolean {
    return (
      plainReaderOf(headers['content-type']) !== undefined &&
      headers['content-encoding'] === undefined
    );
  }

  private answer(
    request: IncomingMessage,
    body: Buffer,
    schemaId: string,
  ): DirectResponse | undefined {
    const caller = this.auth.authorizeAtOnce({ headers: request.headers, raw: request });
    const schema = this.catalog.known(schemaId);
    const read = plainReaderOf(request.headers['content-type']);
    if (caller === undefined || schema === undefined || read === undefined) return undefined;
    const form = read(body, schema.plan.limits);
    const result = this.decoding.decodeValid(schema, form);
    return (
      result && { status: 200, headers: HEADERS, body: JSON.stringify(result), caller: caller.id }
    );
  }
}
