import { type EventCatalog } from '@gatehouse/schemas';
import { type Operation, parameter, type Schema } from '@gatehouse/nest-kit/openapi';
import { type FactoryProvider, type ModuleMetadata } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type EndpointAdmin } from '../management/endpoint-admin.js';
import { type EventAdmin } from '../management/event-admin.js';

/** The administration of the webhooks of a service. */
export interface WebhookAdmin {
  readonly endpoints: EndpointAdmin;
  readonly events: EventAdmin;
}

/** Injection token of the WebhookAdmin. */
export const WEBHOOK_ADMIN = Symbol('WEBHOOK_ADMIN');

/** The differences between services that have webhooks. */
export interface WebhookSystem {
  /** The paths in front of `webhook-endpoints` and `events`. */
  paths: readonly string[];
  /** The id of the only source, or the path parameter that names one. */
  source: { id: string } | { parameter: string };
  catalog: EventCatalog;
  admin: Pick<FactoryProvider<WebhookAdmin>, 'inject' | 'useFactory'>;
  imports?: ModuleMetadata['imports'];
  /** Completes the description of an operation in the dialect of the service. */
  describe?: (operation: Operation) => Operation;
  /** Answers are data by default. */
  envelope?: { answer: (data: unknown) => object; schema: (data: Schema) => Schema };
}

/** A request with any body and query, which the administration reads. */
export type WebhookRequest = FastifyRequest & {
  params: Record<string, string>;
  query: never;
  body: never;
};

/** The source that a request is about. */
export function sourceIdOf({ source }: WebhookSystem, { params }: WebhookRequest): string {
  return 'id' in source ? source.id : (params[source.parameter] ?? '');
}

/** A path of a source, such as `:directoryId/webhook-endpoints`. */
export function pathOfSource({ source }: WebhookSystem, path: string): string {
  return 'id' in source ? path : `:${source.parameter}/${path}`;
}

/** Describes operations of a tag by path. */
export function describing(system: WebhookSystem, tag: string) {
  return (path: string, { answer, ...operation }: WebhookOperation): Operation => {
    const { describe = (each) => each, envelope } = system;
    const { schema, ...more } = answer;
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const described = {
      ...operation,
      tag,
      parameters: [
        ...names.map((name) => parameter('path', name, { type: 'string' })),
        ...(operation.parameters ?? []),
      ],
      answer: { ...more, schema: schema && envelope ? envelope.schema(schema) : schema },
    };
    return describe(described);
  };
}

type WebhookOperation = Omit<Operation, 'tag' | 'answer'> & {
  errors: readonly number[];
  answer: NonNullable<Operation['answer']> & { schema?: Schema };
};
