import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type AnySchema } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  asyncApiDocument,
  catalogSchema,
  DIRECTORY_EVENT_CATALOG,
  eventsOf,
  IDENTITY_EVENT_CATALOG,
  KEY_EVENT_CATALOG,
} from './index.js';

const UUID = '01900000-0000-7000-8000-000000000000';
const CATALOGS = [DIRECTORY_EVENT_CATALOG, IDENTITY_EVENT_CATALOG, KEY_EVENT_CATALOG];
const byTitle = CATALOGS.map((catalog) => [catalog.title, catalog] as const);

/** The package as a whole loads the schemas of all versions. */
const file = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0.json');
const published = JSON.parse(readFileSync(file, 'utf8')) as AnySchema;

const ping = {
  event: 'webhook.ping',
  data: { endpoint_id: UUID },
  id: UUID,
  created_at: '2026-11-20T00:00:00.000Z',
};
const parked = {
  event: 'event.parked',
  data: {
    endpoint_id: UUID,
    source_id: UUID,
    event_id: UUID,
    event_type: 'user.created',
    reason: 'the endpoint answered 422',
    attempts: 5,
  },
  id: UUID,
  sequence: 7,
  created_at: '2026-11-20T00:00:00.000Z',
};

describe.each(byTitle)('%s', (_title, catalog) => {
  it('have a JSON Schema that accepts one event, and refuses other types and members', () => {
    const ajv = new Ajv2020();
    addFormats.default(ajv);
    const validate = ajv.compile(catalogSchema(catalog));
    expect([validate(ping), validate.errors]).toEqual([true, null]);
    expect(validate({ ...ping, event: 'webhook.pong' })).toBe(false);
    expect(validate({ ...ping, more: 1 })).toBe(false);
    expect(validate([ping])).toBe(false);
  });

  it('have an AsyncAPI document that its published schema accepts', () => {
    const ajv = new Ajv({
      strict: false,
      validateFormats: false,
      meta: false,
      validateSchema: false,
    });
    const validate = ajv.compile(published);
    const document = asyncApiDocument(catalog, '1.0.0');
    expect([validate(document), validate.errors]).toEqual([true, null]);
    expect(validate({ ...document, channels: { webhooks: { address: 1 } } })).toBe(false);
  });

  it('have an AsyncAPI message for each type, which a channel sends', () => {
    const { channels, components } = asyncApiDocument(catalog, '1.0.0') as {
      channels: Record<string, { messages: Record<string, { $ref: string }> }>;
      components: { messages: Record<string, { payload: object }> };
    };
    const sent = Object.values(channels).flatMap(({ messages }) => Object.entries(messages));
    const types = Object.keys(eventsOf(catalog)).sort();
    expect([...new Set(sent.map(([type]) => type))].sort()).toEqual(types);
    expect(Object.keys(components.messages).sort()).toEqual(types);
    expect(sent.map(([, { $ref }]) => $ref)).toEqual(
      sent.map(([type]) => `#/components/messages/${type}`),
    );
  });
});

it('no two services have events of the same type, except for the ping', () => {
  const types = CATALOGS.flatMap(({ channels }) =>
    Object.values(channels).flatMap(({ events }) => Object.keys(events)),
  );
  expect(types).toHaveLength(new Set(types).size);
});

it('the catalog of directory sync has the notices for operators', () => {
  const ajv = new Ajv2020();
  addFormats.default(ajv);
  const validate = ajv.compile(catalogSchema(DIRECTORY_EVENT_CATALOG));
  expect([validate(parked), validate.errors]).toEqual([true, null]);
});
