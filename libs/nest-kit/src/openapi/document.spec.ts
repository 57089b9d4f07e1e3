import { type OpenAPIObject } from '@nestjs/swagger';
import { type ApiDialect, completeDocument } from './document.js';
import {
  contentOf,
  type NativeOperation,
  type Operation,
  OPERATION_EXTENSION,
} from './operation.js';
import { arrayOf, record, schemaRef, text } from './schema.js';

type Item = Record<string, Record<string, unknown>>;

const DIALECT: ApiDialect<Operation> = {
  schemas: {
    Book: record({ title: text() }),
    Books: record({ books: arrayOf(schemaRef('Book')), next: text(undefined, { example: '' }) }),
  },
  examples: { Book: { title: 'Emma' } },
  tags: { Books: 'Printed things.', Films: 'Things on film.' },
  security: [{ bearer: [] }],
  securitySchemes: {},
  routelessErrors: contentOf('Book'),
  errorsOf: () => ({ 404: { description: 'Not found.' } }),
};
const LIST: Operation = {
  id: 'listBooks',
  summary: 'List books',
  tag: 'Books',
  answer: { status: 200, schema: 'Books' },
};
const CREATE: NativeOperation = {
  id: 'createBook',
  summary: 'Create a book',
  tag: 'Books',
  isPublic: true,
  method: 'post',
  path: '/books',
  body: 'Book',
  answer: { status: 201, schema: 'Book' },
};

const { paths, tags } = completeDocument(
  {
    openapi: '3.0.0',
    info: { title: 'Library', version: '1' },
    paths: {
      '/books': {
        get: { tags: ['Controller'], responses: {}, [OPERATION_EXTENSION]: LIST },
      },
    },
  } as OpenAPIObject,
  DIALECT,
  [CREATE],
);

describe('completeDocument', () => {
  const books = paths['/books'] as unknown as Item;

  it('gives each operation the one tag of its description, not that of the controller', () => {
    expect(books.get?.tags).toEqual(['Books']);
    expect(books.post?.tags).toEqual(['Books']);
  });

  it('describes the tags that an operation has, and no others', () => {
    expect(tags?.map(({ name }) => name)).toEqual(['Books', 'Operations']);
  });

  it('says of public operations that they need no credential', () => {
    expect(books.post?.security).toEqual([]);
    expect((paths['/version'] as unknown as Item).get?.security).toEqual([]);
  });

  it('describes the routes of the kit in every service', () => {
    const ids = ['/version', '/health/alive', '/health/ready'].map(
      (path) => (paths[path] as unknown as Item).get?.operationId,
    );
    expect(ids).toEqual(['getVersion', 'isAlive', 'isReady']);
  });

  it('describes in every operation that a head may be too large', () => {
    const version = (paths['/version'] as unknown as Item).get;
    for (const operation of [books.post, books.get, version]) {
      expect(operation).toMatchObject({ responses: { 431: { content: contentOf('Book') } } });
    }
  });

  it('takes examples of bodies and answers from their schemas', () => {
    const json = { 'application/json': { example: { title: 'Emma' } } };
    expect(books.post).toMatchObject({
      requestBody: { content: json },
      responses: { 201: { content: json }, 404: { description: 'Not found.' } },
    });
    expect(books.get).toMatchObject({
      responses: {
        200: {
          content: { 'application/json': { example: { books: [{ title: 'Emma' }], next: '' } } },
        },
      },
    });
  });
});
