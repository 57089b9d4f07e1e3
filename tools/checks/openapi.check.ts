/** The committed API descriptions follow the rules of Redocly, and have examples. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';

const SERVICES = ['key-service', 'dsync-api', 'identity-forms'];

/** Findings that stand, each with its reason. */
const EXCEPTIONS = [
  {
    rule: 'no-ambiguous-paths',
    place: /^#\/paths\/~1api~1v1~1dsync~1\{(?:id|directoryId)\}~1/,
    reason: 'Paths as those of Ory Polis. Directory IDs are UUIDs, never `users` or `groups`.',
  },
  {
    rule: 'no-ambiguous-paths',
    place: /^#\/paths\/~1api~1v1~1dsync~1(?:setup-links|events)~1\{id\}/,
    reason: 'Directory IDs are UUIDs, never `setup-links` or `events`.',
  },
];

interface Schema {
  type?: string | string[];
  $ref?: string;
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
}
interface Content {
  schema?: Schema;
  example?: unknown;
}
interface Operation {
  operationId?: string;
  parameters?: { name: string; schema: Schema }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Response>;
}
interface Response {
  content?: Record<string, Content>;
  $ref?: string;
}
interface Description {
  info: { title: string };
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response>; schemas: Record<string, Schema> };
}
interface Problem {
  ruleId: string;
  message: string;
  location: { pointer?: string }[];
}

/** Redocly findings, by service. */
const found = new Map<string, readonly Finding[]>();

beforeAll(() => {
  for (const service of SERVICES) found.set(service, findings(documentOf(service)));
});

describe.each(SERVICES)('the API description of %s', (service) => {
  const operations = operationsOf(read(documentOf(service)));

  it('follows the recommended rules of Redocly, except where a reason stands', () => {
    assert.deepEqual(found.get(service)?.filter(isUnexpected), []);
  });

  it('names the operations as functions of a client are named', () => {
    const names = operations.map(({ operationId }) => operationId ?? '');
    assert.deepEqual(
      names.filter((name) => !/^[a-z]+(?:[A-Z]+[a-z]*)*$/.test(name)),
      [],
    );
    assert.equal(new Set(names).size, names.length);
  });

  it('has an example for every request and every successful answer', () => {
    const missing = operations.flatMap(({ operationId, requestBody, responses }) => {
      const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      return [requestBody, ...answers.map(([, answer]) => answer)]
        .flatMap((message) => Object.entries(message?.content ?? {}))
        .filter(([type, content]) => type !== 'text/html' && !('example' in content))
        .map(([type]) => `${operationId} ${type}`);
    });
    assert.deepEqual(missing, []);
  });

  it.each(['400', '401'])('has an example of every %s', (status) => {
    const answers = operations.flatMap(({ operationId, responses }) => {
      const answer = responses[status];
      return answer === undefined ? [] : [{ operationId, contents: answer.content ?? {} }];
    });
    assert.notEqual(answers.length, 0);
    const missing = answers.filter(
      ({ contents }) => !Object.values(contents).some((content) => 'example' in content),
    );
    assert.deepEqual(missing, []);
  });
});

describe.each(SERVICES)('generators of clients can read the description of %s', (service) => {
  const { components, paths } = read(documentOf(service));
  const names = Object.keys(components.schemas);
  const operations = Object.values(paths).flatMap((item) => Object.values(item));

  it('every parameter has a type', () => {
    const untyped = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ schema: { type, $ref } }) => type === undefined && $ref === undefined)
        .map(({ name }) => `${operationId} ${name}`),
    );
    assert.deepEqual(untyped, []);
  });

  it('no schema has the name of a constructor, or of what is generated for an operation', () => {
    const generated = operations.flatMap(({ operationId = '' }) =>
      ['Request', 'Response', 'Params'].map((each) => `${operationId}${each}`.toLowerCase()),
    );
    const taken = names.filter(
      (name) =>
        generated.includes(name.toLowerCase()) ||
        (name.startsWith('New') && names.includes(name.slice('New'.length))),
    );
    assert.deepEqual(taken, []);
  });

  it('no enum of a member has the name of its schema', () => {
    const twice = Object.entries(components.schemas).filter(([name, { properties = {} }]) =>
      Object.entries(properties).some(
        ([member, { enum: values }]) => values && member.toLowerCase() === name.toLowerCase(),
      ),
    );
    assert.deepEqual(
      twice.map(([name]) => name),
      [],
    );
  });

  it('alternatives are references, types of JSON, or null', () => {
    const inline = schemasIn({ components, paths }).filter(({ oneOf = [], anyOf = [] }) =>
      [...oneOf, ...anyOf].some(({ properties }) => properties !== undefined),
    );
    assert.deepEqual(inline, []);
  });

  it('no value is null alone', () => {
    const alone = schemasIn({ components, paths }).filter(
      ({ enum: values, properties, anyOf }) =>
        (values?.length === 1 && values[0] === null) ||
        Object.values(properties ?? {}).some(({ type }) => type === 'null') ||
        (anyOf?.length === 1 && anyOf[0]?.type === 'null'),
    );
    assert.deepEqual(alone, []);
  });

  it('every request body says whether it may have other members', () => {
    const open = operations
      .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
      .map(({ schema }) => schema?.$ref?.split('/').at(-1) ?? '')
      .map((name) => [name, components.schemas[name]] as const)
      .filter(([, schema]) => schema?.properties && schema.additionalProperties === undefined);
    assert.deepEqual(
      open.map(([name]) => name),
      [],
    );
  });
});

it('the titles tell the services apart', () => {
  const titles = SERVICES.map((service) => read(documentOf(service)).info.title);
  assert.equal(new Set(titles).size, SERVICES.length);
});

it('every exception is needed', () => {
  const all = [...found.values()].flat();
  const unused = EXCEPTIONS.filter(({ rule, place }) => !all.some(isAt(rule, place)));
  assert.deepEqual(unused, []);
});

it('an example that does not fit its schema is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-check-'));
  try {
    const description = read(documentOf('key-service'));
    const issue = operationsOf(description).find(
      ({ operationId }) => operationId === 'adminIssueApiKey',
    );
    const body = issue?.requestBody?.content['application/json'];
    assert.ok(body);
    body.example = { ...(body.example as object), scopes: 'no array' };
    const altered = join(folder, 'openapi.json');
    writeFileSync(altered, JSON.stringify(description));
    const rules = findings(altered)
      .filter(isUnexpected)
      .map(({ rule }) => rule);
    assert.deepEqual(rules, ['no-invalid-media-type-examples']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function documentOf(service: string): string {
  return join(workspace, 'apps', service, 'src', `${service}.openapi.json`);
}

function read(file: string): Description {
  return JSON.parse(readFileSync(file, 'utf8')) as Description;
}

/** With the responses that operations share in place of the references to them. */
function operationsOf({ paths, components }: Description): Operation[] {
  const resolved = (response: Response) =>
    components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response;
  return Object.values(paths)
    .flatMap((item) => Object.values(item))
    .map((operation) => ({
      ...operation,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, each]) => [status, resolved(each)]),
      ),
    }));
}

/** Every object of a document, other than examples, that may be a schema. */
function schemasIn(value: unknown): Schema[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value)
    .filter(([name]) => name !== 'example')
    .flatMap(([, member]) => schemasIn(member));
  return Array.isArray(value) ? inner : [value, ...inner];
}

interface Finding {
  rule: string;
  place: string;
  message: string;
}

function findings(file: string): Finding[] {
  const cli = join(workspace, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const config = join(workspace, 'tools', 'checks', 'redocly.yaml');
  const args = ['lint', file, '--config', config, '--format', 'json', '--max-problems', '1000'];
  const { stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    // No request leaves the machine.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  assert.match(stdout, /^\{/, stderr);
  const { problems } = JSON.parse(stdout) as { problems: Problem[] };
  return problems.map(({ ruleId, message, location }) => ({
    rule: ruleId,
    place: location[0]?.pointer ?? '',
    message,
  }));
}

function isUnexpected(finding: Finding): boolean {
  return !EXCEPTIONS.some(({ rule, place }) => isAt(rule, place)(finding));
}

function isAt(rule: string, place: RegExp): (finding: Finding) => boolean {
  return (finding) => finding.rule === rule && place.test(finding.place);
}
