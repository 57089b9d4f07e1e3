/** Describes the webhooks of a service as an AsyncAPI 3 document. */
import { type EventCatalog, type EventChannel, eventsOf, PING_EVENTS } from './event-catalog.js';
import { described, type JsonSchema, TEXT } from './json-schema.js';

/** The headers of Standard Webhooks. */
const HEADERS: JsonSchema = {
  type: 'object',
  properties: {
    'webhook-id': described(TEXT, 'The id of the message, the same for each attempt to send it'),
    'webhook-timestamp': described(TEXT, 'The time of this attempt, in seconds since 1970'),
    'webhook-signature': described(TEXT, 'Signatures of the Standard Webhooks: v1,<Base64>'),
  },
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
};
const MEDIA_TYPE = 'application/json';

/**
 * @param version of the service
 * @returns the document: a channel for each kind of endpoint, whose address is the endpoint's URL
 */
export function asyncApiDocument(catalog: EventCatalog, version: string): object {
  const channels = Object.entries(catalog.channels);
  return {
    asyncapi: '3.0.0',
    info: { title: catalog.title, version },
    defaultContentType: MEDIA_TYPE,
    channels: Object.fromEntries(channels.map(([name, channel]) => [name, channelOf(channel)])),
    operations: Object.fromEntries(
      channels.map(([name, { title }]) => [
        `send_${name}`,
        {
          action: 'send',
          title,
          channel: { $ref: `#/channels/${name}` },
          bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries(
        Object.entries(eventsOf(catalog)).map(([type, { summary, schema }]) => [
          type,
          { name: type, summary, contentType: MEDIA_TYPE, headers: HEADERS, payload: schema },
        ]),
      ),
    },
  };
}

function channelOf({ title, description, events }: EventChannel): object {
  const types = Object.keys({ ...events, ...PING_EVENTS });
  return {
    address: null,
    title,
    description: `${description} In batch mode, a request contains an array of events.`,
    messages: Object.fromEntries(
      types.map((type) => [type, { $ref: `#/components/messages/${type}` }]),
    ),
  };
}
