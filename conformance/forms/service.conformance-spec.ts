import { type JsonObject } from '@gatehouse/form-decoder';
import { type Answer, HttpClient, openTestStack, type TestStack } from '@gatehouse/testing';
import { type CaseGroup, groupTitle, readCases } from '../case-files.js';
import { type FormSchema, schemaOf } from './form-schema.js';

type Outcome = JsonObject | string;

interface RequestCase {
  name: string;
  method?: string;
  query?: string;
  type?: string;
  body?: string;
  is: Outcome;
}

interface FlowCase {
  name: string;
  stored: Record<string, string>;
  kind: 'sign-up' | 'profile';
  fields: Record<string, string>;
  status: number;
  messages?: number[];
}

type RequestGroup = CaseGroup & FormSchema & { schemaId?: string; cases: RequestCase[] };
type FlowGroup = CaseGroup & FormSchema & { cases: FlowCase[] };

const API_KEY = 'api-key-of-the-conformance-cases-0123456789';
const ADMIN = { authorization: `Bearer ${API_KEY}` };

let stack: TestStack;
let client: HttpClient;

beforeAll(async () => {
  stack = await openTestStack('identity-forms');
  const service = await stack.start('identity-forms', { ADMIN_API_KEYS: API_KEY });
  client = new HttpClient(service.url);
});

afterAll(() => stack.close());

for (const [index, group] of readCases<RequestGroup[]>('forms/requests.yaml').entries()) {
  describe(groupTitle(group), () => {
    const id = group.schemaId ?? `requests-${index}`;

    beforeAll(async () => {
      if (group.schemaId === undefined) await registerSchema(id, group);
    });

    it.each(group.cases.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
      expect(outcomeOf(await decode(id, each))).toEqual(each.is);
    });
  });
}

for (const [index, group] of readCases<FlowGroup[]>('forms/flows.yaml').entries()) {
  describe(groupTitle(group), () => {
    const id = `flows-${index}`;

    beforeAll(() => registerSchema(id, group));

    it.each(group.cases.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
      const signUp = { kind: 'sign-up', schema_id: id };
      const first = await submitFlow(signUp, each.stored);
      expect(first.status).toBe(201);
      const profile = { kind: 'profile', identity_id: first.body.id as string };
      const answer = await submitFlow(each.kind === 'profile' ? profile : signUp, each.fields);
      expect(answer.status).toBe(each.status);
      if (each.messages !== undefined) {
        const errors = answer.body.errors as { id: number }[];
        expect(errors.map((error) => error.id)).toEqual(each.messages);
      }
    });
  });
}

async function registerSchema(id: string, group: FormSchema): Promise<void> {
  const { status, text } = await client.send('POST', '/v1/schemas', {
    headers: ADMIN,
    json: { id, schema: schemaOf(group) },
  });
  if (status !== 201) throw new Error(`The schema ${id} was refused: ${text}`);
}

/** Sends the body as bytes: `fetch` would add a content type to a text. */
function decode(id: string, { method = 'POST', query, type, body }: RequestCase): Promise<Answer> {
  const isMultipart = type?.startsWith('multipart/') === true;
  const text = isMultipart ? body?.replaceAll('\n', '\r\n') : body;
  const path = `/v1/schemas/${id}/decode${query === undefined ? '' : `?${query}`}`;
  return client.send(method, path, {
    headers: { ...ADMIN, ...(type !== undefined && { 'content-type': type }) },
    ...(text !== undefined && { body: Buffer.from(text) }),
  });
}

/** The traits of a 200, or status and code of the problem document. */
function outcomeOf({ status, body }: Answer): Outcome {
  const { traits, code } = (body ?? {}) as { traits?: JsonObject; code?: string };
  return traits ?? [status, code].join(' ').trim();
}

/** Starts a flow, opens it as a browser does, and submits it. */
async function submitFlow(flow: object, fields: Record<string, string>): Promise<Answer> {
  const started = await client.send('POST', '/v1/flows', { headers: ADMIN, json: flow });
  const path = new URL(started.body.url as string).pathname;
  const headers = { accept: 'application/json' };
  const opened = await client.send('GET', path, { headers });
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const body = new URLSearchParams({ csrf_token: opened.body.csrf_token as string, ...fields });
  return client.send('POST', path, { headers: { ...headers, cookie }, body });
}
