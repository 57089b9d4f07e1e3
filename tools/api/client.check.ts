/** The generated part of the client is what the API descriptions say. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGatehouse } from '@gatehouse/client';
import { workspace } from '#local-stack/layout.mjs';
import { CLIENT_NAMES, LEFT_OUT } from './client-names.mjs';
import { generateClient } from './generate-client.mjs';
import { SERVICES, mergedDocument } from './merged-document.mjs';

const FOLDER = join(workspace, 'libs', 'client', 'src', 'api');

interface Operation {
  operationId: string;
  'x-client-name'?: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { example?: object }> };
}

type Paths = Record<string, Record<string, Operation>>;

const committed = (service: string) =>
  JSON.parse(
    readFileSync(join(workspace, 'apps', service, 'src', `${service}.openapi.json`), 'utf8'),
  ) as { paths: Paths };

/** An operation of the client, and where its parameters belong. */
interface Case {
  name: string;
  method: string;
  path: string;
  inPath: string[];
  inQuery: string[];
  type: string | undefined;
  body: object | undefined;
}

const cases: Case[] = Object.entries(mergedDocument()['paths'] as Paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) => {
    const { 'x-client-name': name, parameters = [], requestBody } = operation;
    if (name === undefined) return [];
    const namesIn = (place: string) =>
      parameters.filter((each) => each.in === place).map((each) => each.name);
    const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    return {
      name,
      method: method.toUpperCase(),
      path,
      inPath: namesIn('path'),
      inQuery: namesIn('query'),
      type,
      body: content?.example,
    };
  }),
);

it('the types and the operations are generated from the API descriptions', async () => {
  for (const [name, content] of Object.entries(await generateClient())) {
    const file = join(FOLDER, name);
    if (process.env.UPDATE_SNAPSHOTS) writeFileSync(file, content);
    expect(readFileSync(file, 'utf8') === content || name).toBe(true);
  }
});

it.each(SERVICES)(
  'each operation of $id has a name in the client, or a reason to have none',
  ({ id }) => {
    const operations = Object.values(committed(id).paths)
      .flatMap((item) => Object.values(item))
      .map(({ operationId }) => operationId);
    const leftOut = Object.keys(LEFT_OUT).flatMap((names) => names.split(', '));
    const named = Object.keys(CLIENT_NAMES[id]);
    expect(operations.filter((name) => !named.includes(name) && !leftOut.includes(name))).toEqual(
      [],
    );
    expect(named.filter((name) => !operations.includes(name) || leftOut.includes(name))).toEqual(
      [],
    );
  },
);

it('the merged document has each operation once', () => {
  const items = Object.values(
    mergedDocument()['paths'] as Record<string, Record<string, Operation>>,
  );
  const names = items.flatMap((item) => Object.values(item)).map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  const count = SERVICES.flatMap(({ id }) => Object.values(committed(id).paths)).flatMap((item) =>
    Object.values(item),
  ).length;
  expect(names.length).toBe(count);
});

it.each(cases)(
  '$name sends $method $path',
  async ({ name, method, path, inPath, inQuery, type, body }) => {
    const sent: Request[] = [];
    const gatehouse = createGatehouse({
      url: 'http://gatehouse.test',
      key: 'a-key',
      fetch: async (...request) => {
        sent.push(new Request(...request));
        return Promise.resolve(
          new Response('{}', { headers: { 'content-type': 'application/json' } }),
        );
      },
    });
    const valueOf = (parameter: string) => `the ${parameter}/?`;
    const parameters = Object.fromEntries(
      [...inPath, ...inQuery].map((each) => [each, valueOf(each)]),
    );
    const input = name === 'forms.decode' ? { ...parameters, body } : { ...parameters, ...body };
    await operationOf(gatehouse, name)(input);

    const [request] = sent;
    const filled = inPath.reduce(
      (text, each) => text.replace(`{${each}}`, encodeURIComponent(valueOf(each))),
      path,
    );
    const url = new URL(request?.url ?? '');
    expect({ method: request?.method, path: url.pathname }).toEqual({ method, path: filled });
    expect(Object.fromEntries(url.searchParams)).toEqual(
      Object.fromEntries(inQuery.map((each) => [each, valueOf(each)])),
    );
    const text = await request?.text();
    if (body === undefined) expect(['', '{}']).toContain(text);
    else {
      expect(request?.headers.get('content-type')).toContain(type);
      expect(type?.includes('json') ? JSON.parse(text ?? '') : readForm(text)).toEqual(body);
    }
  },
);

function readForm(text = ''): object {
  return Object.fromEntries(new URLSearchParams(text));
}

type Call = (input: object) => Promise<unknown>;
interface Operations {
  [name: string]: Operations & Call;
}

function operationOf(gatehouse: object, name: string): Call {
  return name
    .split('.')
    .reduce(
      (group, part) => group[part] as Operations & Call,
      gatehouse as Operations,
    ) as Operations & Call;
}
