/**
 * The token endpoint (RFC 8693). A native route, because its requests are forms and its errors those of
 * RFC 6749. It is closed for pages of other origins: keys do not belong in browsers.
 */
import { takeForms } from '@gatehouse/pages';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { ErrorFilter } from '@gatehouse/nest-kit/errors';
import { type NativeRoutes } from '@gatehouse/nest-kit/http';
import { contentOf } from '@gatehouse/nest-kit/openapi';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { callContextOf } from '../../api/call-context.js';
import { readAudiences, readScopes } from '../../api/fields/key-fields.js';
import { RequestInput } from '../../api/input.js';
import { type NativeKeyOperation } from '../../api/openapi/operation.js';
import { KeyErrors } from '../../errors.js';
import { OAUTH_ERRORS } from './oauth-errors.js';
import { TOKEN_EXCHANGE_GRANT, TOKEN_PATH } from './oauth.types.js';
import { type DeriveContext, type IssuedToken } from '../tokens/derive.service.js';
import { type TokenExchange, TokenExchangeService } from './token-exchange.service.js';

export const BODY_BYTES_MAX = 32 * 1024;
const TOKEN_TYPES = 'urn:ietf:params:oauth:token-type:';
const KEY_TYPE = 'urn:gatehouse:params:oauth:token-type:api-key';
const EXTERNAL_TYPES = [`${TOKEN_TYPES}id_token`, `${TOKEN_TYPES}jwt`];
const ISSUED_TYPES = [`${TOKEN_TYPES}access_token`, `${TOKEN_TYPES}jwt`];
/** RFC 6749 and RFC 8693 allow no other parameter more than once. */
const REPEATABLE = ['audience', 'resource'];

/** The answer contains a credential. */
export const TOKEN_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
};

export const TOKEN_EXCHANGE_OPERATIONS: readonly NativeKeyOperation[] = [
  {
    method: 'post',
    path: TOKEN_PATH,
    id: 'exchangeToken',
    summary: 'Exchange a key, or a token of a trusted issuer, for a JWT (RFC 8693)',
    tag: 'Tokens',
    body: contentOf('TokenExchangeRequest', 'application/x-www-form-urlencoded'),
    answer: {
      status: 200,
      schema: 'TokenExchangeResponse',
      description: 'The token.',
      headers: { 'Cache-Control': 'no-store' },
    },
    errors: [400, 429, 503],
    errorSchema: 'OAuthError',
    isPublic: true,
  },
];

interface ExchangeForm extends TokenExchange {
  readonly issuedType: string;
}

@Injectable()
export class TokenExchangeRoutes implements NativeRoutes {
  constructor(
    private readonly addresses: ClientAddresses,
    private readonly errors: ErrorFilter,
    private readonly input: RequestInput,
    private readonly service: TokenExchangeService,
  ) {}

  register(scope: FastifyInstance): void {
    takeForms(scope, BODY_BYTES_MAX);
    scope.setErrorHandler((error, request, reply) => {
      this.errors.send(error, request, reply, OAUTH_ERRORS);
    });
    scope.post(TOKEN_PATH, (request, reply) => this.exchange(request, reply));
  }

  private async exchange(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.input.checkParameters(request.query);
    const exchange = readTokenExchange((request.body ?? '') as string);
    const context = exchangeContextOf(this.addresses, request);
    const token = await this.service.exchange(exchange, context);
    return reply.headers(TOKEN_HEADERS).send(tokenJson(exchange, token));
  }
}

export function exchangeContextOf(
  addresses: ClientAddresses,
  request: Pick<FastifyRequest, 'raw' | 'id'>,
): DeriveContext {
  return Object.assign(callContextOf(addresses, request, 'holder'), {
    address: () => addresses.of(request),
  });
}

/** RFC 8693, section 2.2.1. */
export function tokenJson(
  { issuedType }: ExchangeForm,
  { token, ttlSeconds, scopes }: IssuedToken,
): string {
  return JSON.stringify({
    access_token: token,
    issued_token_type: issuedType,
    token_type: 'Bearer',
    expires_in: ttlSeconds,
    scope: scopes.join(' '),
  });
}

/**
 * Reads a form. Unknown parameters are ignored, and empty ones absent (RFC 6749, section 3.2).
 *
 * @throws DomainError that names the parameter
 */
export function readTokenExchange(body: string): ExchangeForm {
  const form = new URLSearchParams(body);
  refuseRepeated(form);
  if (form.get('grant_type') !== TOKEN_EXCHANGE_GRANT) {
    if (!form.get('grant_type')) throw invalidField('grant_type', 'must be sent');
    throw new DomainError(KeyErrors.UNSUPPORTED_GRANT_TYPE);
  }
  const isTargeted = form.getAll('resource').some((each) => each !== '');
  if (isTargeted) throw new DomainError(KeyErrors.INVALID_TARGET);
  for (const name of ['actor_token', 'actor_token_type']) {
    if (form.get(name)) throw invalidField(name, 'is not supported: the subject acts itself');
  }
  const subjectToken = form.get('subject_token') ?? '';
  if (subjectToken === '') throw invalidField('subject_token', 'must be sent');
  const subjectType = oneOf(form, 'subject_token_type', [KEY_TYPE, ...EXTERNAL_TYPES]);
  const issuedType = form.get('requested_token_type')
    ? oneOf(form, 'requested_token_type', ISSUED_TYPES)
    : (ISSUED_TYPES[0] as string);
  return {
    subjectToken,
    isKey: subjectType === KEY_TYPE,
    scopes: scopesIn(form.get('scope') ?? ''),
    audiences: audiencesIn(form),
    issuedType,
  };
}

function refuseRepeated(form: URLSearchParams): void {
  const seen = new Set<string>();
  for (const name of form.keys()) {
    const isRepeated = seen.has(name) && !REPEATABLE.includes(name);
    if (isRepeated) throw invalidField(shown(name), 'must be sent once');
    seen.add(name);
  }
}

function oneOf(form: URLSearchParams, name: string, values: readonly string[]): string {
  const found = values.find((value) => value === form.get(name));
  if (found !== undefined) return found;
  throw invalidField(name, `must be one of ${values.join(', ')}`);
}

function scopesIn(text: string): string[] | undefined {
  const scope = text.split(' ').filter((each) => each !== '');
  if (scope.length === 0) return undefined;
  const reader = InputReader.of({ scope });
  const scopes = [...new Set(readScopes(reader, 'scope'))];
  try {
    reader.throwIfInvalid();
  } catch (error) {
    const { message } = error as DomainError;
    throw new DomainError(KeyErrors.INVALID_SCOPE, { message });
  }
  return scopes;
}

function audiencesIn(form: URLSearchParams): string[] {
  const audience = form.getAll('audience').filter((each) => each !== '');
  const reader = InputReader.of({ audience });
  const audiences = readAudiences(reader, 'audience');
  reader.throwIfInvalid();
  return audiences;
}

/** A name that a client made up, without what it could hide. */
function shown(name: string): string {
  return name.replaceAll(/[^\w.-]/g, '?').slice(0, 64);
}
