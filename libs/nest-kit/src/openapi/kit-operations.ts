/** Describes the routes that the kit adds to every service. */
import { type NativeOperation, optionalParameters } from './operation.js';
import { arrayOf, enumOf, mapOf, record, type Schemas, text } from './schema.js';

const OPERATIONS = 'Operations';

export const KIT_TAGS = {
  [OPERATIONS]: 'The version and the health of the service. They need no credential.',
};

export const KIT_SCHEMAS: Schemas = {
  Health: record({
    status: enumOf(['ok', 'degraded', 'unavailable']),
    'errors?': mapOf(text(), { description: 'Missing dependencies, such as redis.' }),
  }),
  Version: record({
    version: text(),
    revision: text('The commit that it was built from.'),
  }),
};

export const KIT_EXAMPLES = {
  Health: { status: 'ok' },
  Version: { version: '0.1.0', revision: '4f2a9c1' },
};

const UNREADY = { status: 'unavailable', errors: { database: 'not reachable' } };

export const KIT_OPERATIONS: readonly NativeOperation[] = [
  {
    method: 'get',
    path: '/version',
    id: 'getVersion',
    tag: OPERATIONS,
    isPublic: true,
    summary: 'The version of the service',
    answer: { status: 200, description: 'The version.', schema: 'Version' },
  },
  {
    method: 'get',
    path: '/health/alive',
    id: 'isAlive',
    tag: OPERATIONS,
    isPublic: true,
    summary: 'Whether the process runs',
    answer: { status: 200, description: 'It runs.', schema: 'Health' },
  },
  {
    method: 'get',
    path: '/health/ready',
    id: 'isReady',
    tag: OPERATIONS,
    isPublic: true,
    summary: 'Whether the service can serve requests',
    parameters: optionalParameters('query', {
      exclude: arrayOf(text(), {
        description: 'Dependencies that may be missing while the service is ready, such as redis.',
      }),
    }),
    answer: { status: 200, description: 'It can.', schema: 'Health' },
    otherAnswers: {
      503: {
        description: 'It cannot, or it is shutting down.',
        schema: 'Health',
        example: UNREADY,
        headers: { 'Retry-After': 'Seconds until a repetition makes sense.' },
      },
    },
  },
];
