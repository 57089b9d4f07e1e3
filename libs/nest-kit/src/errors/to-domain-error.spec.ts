import { DomainError, KitErrors, toDomainError } from '@gatehouse/kit/errors';
import { NotFoundException } from '@nestjs/common';

const coded = (code: string, message = 'internal text') =>
  Object.assign(new Error(message), { code });

describe('toDomainError', () => {
  it('passes our own errors through', () => {
    const error = new DomainError(KitErrors.NO_ANSWER);
    expect(toDomainError(error)).toBe(error);
  });

  it.each([
    ['a lost PostgreSQL', coded('57P01'), 'unavailable'],
    ['a refused connection', coded('ECONNREFUSED'), 'unavailable'],
    ['a PostgreSQL that only reads', coded('25006'), 'unavailable'],
    ['a disk that is full', coded('53100'), 'unavailable'],
    ['a disk that fails', coded('58030'), 'unavailable'],
    ['a name server that does not answer', coded('EAI_AGAIN'), 'unavailable'],
    ['a deadlock', coded('40P01'), 'unavailable'],
    ['a driver error inside TypeORM', { driverError: coded('08006') }, 'unavailable'],
    ['a PostgreSQL that does not answer', coded('ETIMEDOUT'), 'unavailable'],
    ['a connection lost before', new Error('The client is not queryable'), 'unavailable'],
    ['a broken constraint', coded('23505'), 'internal'],
    ['a programming mistake', new TypeError('x is undefined'), 'internal'],
    ['something that is no Error', 'thrown text', 'internal'],
    ['a route that is not there', new NotFoundException(), 'not_found'],
    ['a body over the limit', Object.assign(new Error(), { statusCode: 413 }), 'payload_too_large'],
    ['a media type', Object.assign(new Error(), { statusCode: 415 }), 'unsupported_media_type'],
  ])('%s', (_, thrown, kind) => {
    const error =
      thrown instanceof Error || typeof thrown === 'string'
        ? thrown
        : Object.assign(new Error('query failed'), thrown);
    expect(toDomainError(error).kind).toBe(kind);
  });

  it('never shows a foreign text to the caller', () => {
    const { message, cause } = toDomainError(coded('XX000', 'relation "secrets" does not exist'));
    expect(message).not.toContain('secrets');
    expect((cause as Error).message).toContain('secrets');
  });
});
