/** A collector of OpenTelemetry that decodes what services export: OTLP over HTTP, as JSON. */
import { createServer } from 'node:http';
import { eventually } from './eventually.js';
import { listenOnLoopback } from './loopback.js';

export interface CollectedSpan {
  service: string;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  traceId: string;
  spanId: string;
  /** '' for the root of a trace. */
  parentSpanId: string;
  traceState: string;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  isFailed: boolean;
}

export interface Collector {
  url: string;
  /** Everything that was received, as it came. */
  bodies: string[];
  spans: CollectedSpan[];
  /** The settings of a service that exports to it at once. */
  settings: Record<string, string>;
  /** Resolves to the first span that fits. */
  find(fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  /** Leaves requests without an answer from now on. */
  hang(): void;
  close(): Promise<void>;
}

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const STATUS_ERROR = 2;
const PATH = '/v1/traces';

/** The parts of ExportTraceServiceRequest that are read here. */
interface ExportRequest {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

interface KeyValue {
  key: string;
  value: { stringValue?: string; intValue?: number | string; boolValue?: boolean };
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  attributes: KeyValue[];
  links: { traceId: string; spanId: string }[];
  status: { code: number };
}

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const spans: CollectedSpan[] = [];
  let hangs = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      bodies.push(body);
      if (hangs) return;
      if (request.method !== 'POST' || request.url !== PATH) response.writeHead(404).end();
      else if (request.headers['content-type'] === 'application/json') {
        spans.push(...spansOf(JSON.parse(body) as ExportRequest));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      } else response.writeHead(200).end();
    });
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return {
    url,
    bodies,
    spans,
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
    find: (fits) =>
      eventually(() => {
        const found = spans.find(fits);
        if (found === undefined) {
          const names = spans.map(({ service, name, kind }) => `${service}: ${name} (${kind})`);
          throw new Error(`no such span among\n${names.join('\n')}`);
        }
        return found;
      }),
    hang: () => {
      hangs = true;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans }: ExportRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service,
        name: span.name,
        kind: KINDS[span.kind] ?? 'internal',
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        traceState: span.traceState ?? '',
        attributes: valuesOf(span.attributes),
        links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
        isFailed: span.status.code === STATUS_ERROR,
      })),
    );
  });
}

function valuesOf(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? boolValue : Number(intValue)),
    ]),
  );
}
