/** Requests whose faults no operation has a part in: a wrong body or query, or too large a head. */
import { type IncomingMessage, request } from 'node:http';
import { text as streamText } from 'node:stream/consumers';
import { type Answer } from './answer.js';
import { ApiDescription, type OpenApiDocument } from './api-description.js';

const MIB = 2 ** 20;
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';
const JSON_TYPE = { 'content-type': 'application/json' };

interface Fault {
  name: string;
  query?: string;
  headers?: Record<string, string>;
  body?: string;
}

const FAULTS: readonly Fault[] = [
  { name: 'a body that is no JSON', headers: JSON_TYPE, body: '{' },
  { name: 'a body of another type', headers: { 'content-type': 'text/xml' }, body: '<a/>' },
  { name: 'a large body', headers: JSON_TYPE, body: `"${'x'.repeat(6 * MIB)}"` },
  { name: 'an unknown parameter, twice', query: '?a=%00&a=%' },
  { name: 'a large head', headers: { 'x-large': 'x'.repeat(20_000) } },
];

export interface OddRequestOptions {
  /** With the credentials, by the path. */
  headers: (path: string) => Record<string, string>;
  /** Parameters of paths, by name; the others name nothing that exists. */
  ids?: Readonly<Record<string, string>>;
  /** The lowest status that a `default` response describes. */
  defaultFrom?: number;
}

/**
 * Sends each of these faults to each operation.
 *
 * @returns all statuses, and messages on the answers that the document does not describe
 */
export async function answersToOddRequests(
  url: string,
  { headers, ids = {}, defaultFrom }: OddRequestOptions,
): Promise<{ statuses: Set<number>; undescribed: string[] }> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  const description = new ApiDescription(document, defaultFrom);
  const statuses = new Set<number>();
  const undescribed: string[] = [];
  for (const [template, operations] of Object.entries(document.paths)) {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? UNKNOWN_ID);
    for (const method of Object.keys(operations).map((name) => name.toUpperCase())) {
      for (const fault of FAULTS) {
        const all = { ...headers(path), ...fault.headers };
        const odd = { method, path: path + (fault.query ?? ''), headers: all, body: fault.body };
        const answer = await send(url, odd);
        statuses.add(answer.status);
        try {
          description.check(method, path, answer);
        } catch (error) {
          undescribed.push(`${fault.name}: ${(error as Error).message}`);
        }
      }
    }
  }
  return { statuses, undescribed };
}

interface OddRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Also a GET with a body, which `fetch` refuses to send. */
function send(url: string, { method, path, headers, body }: OddRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(
      `${url}${path}`,
      { method, agent: false, headers: { ...headers, ...length } },
      (response) => void answerOf(response).then(resolve, reject),
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const text = await streamText(response);
  const type = response.headers['content-type'] ?? '';
  return {
    status: response.statusCode ?? 0,
    text,
    headers: new Headers([['content-type', type]]),
    body: /\bjson\b/.test(type) && text !== '' ? JSON.parse(text) : text,
  };
}
