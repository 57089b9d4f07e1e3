import { ApiDescription } from './api-description.js';
import { type Answer } from './answer.js';

const content = {
  'application/json': {
    schema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  },
};
const description = new ApiDescription({
  paths: {
    '/keys/{id}': { get: { responses: { 200: { content }, 304: {}, default: { content } } } },
    '/keys/{id}:revoke': { post: { responses: { 204: {} } } },
    '/keys/current': { get: { responses: { 204: {} } } },
  },
});

function answer(status: number, body?: unknown, type = 'application/json'): Answer {
  const headers = new Headers({ 'content-type': type });
  return { status, headers, body, text: body === undefined ? '' : JSON.stringify(body) };
}

function located(given: Answer): Answer {
  given.headers.set('location', '/keys/a');
  return given;
}

describe('an answer that is described', () => {
  it.each([
    ['GET', '/keys/a?x=1', answer(200, { id: 'a' }), 'GET /keys/{id}'],
    ['GET', '/keys/a', answer(304), 'GET /keys/{id}'],
    ['GET', '/keys/a', answer(503, { id: 'a' }), 'GET /keys/{id}'],
    ['GET', '/keys/current', answer(204), 'GET /keys/current'],
    ['POST', '/keys/a:revoke', answer(204), 'POST /keys/{id}:revoke'],
    ['DELETE', '/keys/a', answer(418), undefined],
    ['GET', '/other', answer(418), undefined],
    ['GET', '/keys/%ZZ', answer(400), undefined],
  ])('%s %s', (method, url, given, operation) => {
    expect(description.check(method, url, given)).toBe(operation);
  });
});

describe('an answer that is not described is found by its', () => {
  it.each([
    ['status', answer(418, { id: 'a' }), /418 is not described/],
    ['media type', answer(200, { id: 'a' }, 'text/html'), /is not described as text\/html/],
    ['unexpected body', answer(304, { id: 'a' }), /304 has a body/],
    ['header', located(answer(304)), /304 has undescribed headers: Location/],
    ['missing member', answer(200, {}), /must have required property 'id'/],
    ['extra member', answer(503, { id: 'a', more: 1 }), /must NOT have additional properties/],
  ])('%s', (_what, given, message) => {
    expect(() => description.check('GET', '/keys/a', given)).toThrow(message);
  });
});
