import { type JsonObject, type JsonValue } from '@gatehouse/scim';
import { type Answer, HttpClient, openTestStack, type TestStack } from '@gatehouse/testing';
import { type CaseGroup, groupTitle, readCases } from '../case-files.js';
import { difference, readPath } from './expectations.js';
import { Variables } from './variables.js';

/** One request and what its answer must be; the README describes the members. */
interface Step {
  [requestLine: `${string} ${string}`]: Status;
  name?: string;
  send?: Record<string, string | null>;
  body?: JsonValue;
  patch?: JsonValue;
  rawBody?: string;
  json?: JsonObject;
  headers?: JsonObject;
  capture?: Record<string, string>;
  maxMs?: number;
}

/** A status, of an error perhaps with its scimType: `400 invalidValue`. */
type Status = number | string;

interface Scenario {
  name: string;
  directory: string;
  groups: (CaseGroup & { steps: Step[] })[];
}

const FILES = ['http-rfc', 'http-entra', 'http-okta', 'http-others'];
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';
const API_KEY = 'api-key-of-the-conformance-cases-0123456789';

let stack: TestStack;
let serviceUrl: string;

beforeAll(async () => {
  stack = await openTestStack('dsync-api');
  const service = await stack.start('dsync-api', {
    API_KEYS: API_KEY,
    ENCRYPTION_KEYS: 'encryption-key-of-the-conformance-cases-0123456789',
    EXTERNAL_URL: 'https://sync.example.com',
  });
  serviceUrl = service.url;
});

afterAll(() => stack.close());

for (const scenario of FILES.flatMap((file) => readCases<Scenario[]>(`scim/${file}.yaml`))) {
  describe(scenario.name, () => {
    let variables: Variables;

    beforeAll(async () => {
      const own = await createDirectory(scenario.directory);
      const other = await createDirectory(scenario.directory);
      variables = new Variables({
        base: own.base,
        token: own.token,
        base2: other.base,
        token2: other.token,
      });
    });

    for (const group of scenario.groups) {
      describe(groupTitle(group), () => {
        it.each(group.steps.map((step) => [titleOf(step), step] as const))('%s', (_title, step) =>
          run(step, variables),
        );
      });
    }
  });
}

async function createDirectory(type: string): Promise<{ base: string; token: string }> {
  const { body } = await new HttpClient(serviceUrl).send('POST', '/api/v1/dsync', {
    headers: { authorization: `Api-Key ${API_KEY}` },
    json: { tenant: 'conformance', product: 'scim', type },
  });
  const { scim } = (body as { data: { scim: { path: string; secret: string } } }).data;
  return { base: serviceUrl + scim.path, token: scim.secret };
}

function titleOf(step: Step): string {
  const [line, status] = requestOf(step);
  const request = line.length > 120 ? `${line.slice(0, 120)} …` : line;
  return `${step.name === undefined ? '' : `${step.name}: `}${request} is ${status}`;
}

function requestOf(step: Step): [string, Status] {
  const entry = Object.entries(step).find(([key]) => /^[A-Z]+ /.test(key));
  if (entry === undefined) throw new Error(`A step has no request line: ${JSON.stringify(step)}`);
  return [entry[0], entry[1] as Status];
}

async function run(step: Step, variables: Variables): Promise<void> {
  const startedAt = performance.now();
  const answer = await send(step, variables);
  const elapsedMs = performance.now() - startedAt;
  const body = answer.body as JsonValue | undefined;
  const [status, scimType] = String(requestOf(step)[1]).split(' ');
  expect(summaryOf(answer)).toMatchObject({
    status: Number(status),
    ...(scimType !== undefined && { scimType }),
  });
  if (answer.status >= 400) {
    expect(body).toMatchObject({ schemas: [ERROR_SCHEMA], status });
  }
  for (const [name, path] of Object.entries(step.capture ?? {})) {
    variables.set(name, readPath(body, path));
  }
  expect(faultsOf(variables.fill({ json: step.json, headers: step.headers }), answer)).toEqual([]);
  if (step.maxMs !== undefined) expect(elapsedMs).toBeLessThan(step.maxMs);
}

function send(step: Step, variables: Variables): Promise<Answer> {
  const { body, patch, rawBody } = step;
  const [method = '', path = ''] = splitOnce(variables.fill(requestOf(step)[0]));
  const json = patch === undefined ? body : { schemas: ['{{PatchOp}}'], Operations: patch };
  const content = variables.fill(rawBody) ?? JSON.stringify(variables.fill(json));
  const sent = Object.entries({
    authorization: variables.fill('Bearer {{token}}'),
    ...(content !== undefined && { 'content-type': 'application/scim+json' }),
    ...variables.fill(step.send),
  }).filter((entry): entry is [string, string] => entry[1] !== null);
  const client = new HttpClient(path.startsWith('http') ? '' : variables.fill('{{base}}'));
  return client.send(method, path, { headers: Object.fromEntries(sent), body: content });
}

function splitOnce(line: string): string[] {
  const space = line.indexOf(' ');
  return [line.slice(0, space), line.slice(space + 1)];
}

function summaryOf({ status, body }: Answer): object {
  const { scimType, detail } = (body ?? {}) as { scimType?: string; detail?: string };
  return { status, scimType, detail };
}

function faultsOf(
  { json = {}, headers = {} }: { json?: JsonObject; headers?: JsonObject },
  answer: Answer,
): string[] {
  const body = answer.body as JsonValue | undefined;
  return [
    ...Object.entries(json).map(([path, expected]) =>
      difference(path, readPath(body, path), expected ?? null),
    ),
    ...Object.entries(headers).map(([name, expected]) =>
      difference(name, answer.headers.get(name), expected ?? null),
    ),
  ].filter((fault) => fault !== undefined);
}
