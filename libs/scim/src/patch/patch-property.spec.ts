import fc from 'fast-check';
import SCIMMY from 'scimmy';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { type ScimResource } from '../resource/resource.js';
import { userResourceType } from '../schema/resource-type.js';
import { applyPatch } from './patch-engine.js';
import { parsePatchRequest } from './patch-request.js';

/**
 * A random sequence of operations does to a resource what it does to a plain model, and, where
 * scimmy keeps to the RFC, what it does there.
 */

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

interface Model {
  title?: string;
  givenName?: string;
  familyName?: string;
  active?: boolean;
  /** Values by type; the resource holds one element of each type. */
  emails: Map<string, string>;
}

type PatchMessage = NonNullable<ConstructorParameters<typeof SCIMMY.Messages.PatchOp>[0]>;

type Step = { operation: JsonObject; apply: (model: Model) => void };

const text = fc.constantFrom('x', 'y', 'z');
const kind = fc.constantFrom('work', 'home', 'other');
const write = fc.constantFrom('add', 'replace', 'Add', 'REPLACE');

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(write, text).map(([op, value]) => ({
    operation: { op, path: 'title', value },
    apply: (model: Model) => void (model.title = value),
  })),
  fc.constant({
    operation: { op: 'remove', path: 'title' },
    apply: (model: Model) => void delete model.title,
  }),
  fc.tuple(write, text).map(([op, value]) => ({
    operation: { op, path: 'name.givenName', value },
    apply: (model: Model) => void (model.givenName = value),
  })),
  fc.tuple(write, text).map(([op, value]) => ({
    operation: { op, path: 'name', value: { familyName: value } },
    apply: (model: Model) => void (model.familyName = value),
  })),
  fc.constant({
    operation: { op: 'remove', path: 'name' },
    apply: (model: Model) => {
      delete model.givenName;
      delete model.familyName;
    },
  }),
  fc.tuple(write, fc.boolean(), text).map(([op, active, title]) => ({
    operation: { op, value: { active: active ? 'True' : 'False', title } },
    apply: (model: Model) => void Object.assign(model, { active, title }),
  })),
  fc.tuple(kind, text).map(([type, value]) => ({
    operation: { op: 'add', path: `emails[type eq "${type}"].value`, value },
    apply: (model: Model) => void model.emails.set(type, value),
  })),
  kind.map((type) => ({
    operation: { op: 'remove', path: `emails[type eq "${type}"]` },
    apply: (model: Model) => void model.emails.delete(type),
  })),
  fc.tuple(kind, text).map(([type, value]) => ({
    operation: { op: 'replace', path: 'emails', value: [{ type, value }] },
    apply: (model: Model) => void (model.emails = new Map([[type, value]])),
  })),
  fc.constant({
    operation: { op: 'remove', path: 'emails' },
    apply: (model: Model) => model.emails.clear(),
  }),
);

function render({ title, givenName, familyName, active, emails }: Model): JsonObject {
  const name = { ...(givenName && { givenName }), ...(familyName && { familyName }) };
  const list = [...emails].map(([type, value]) => ({ type, value }));
  return {
    schemas: [core],
    userName: 'u',
    ...(title === undefined ? {} : { title }),
    ...(active === undefined ? {} : { active }),
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...(list.length === 0 ? {} : { emails: list }),
  };
}

function sortedEmails(resource: JsonObject): JsonObject {
  const { emails } = resource;
  return Array.isArray(emails)
    ? { ...resource, emails: [...emails].sort((a, b) => (key(a) < key(b) ? -1 : 1)) }
    : resource;
}

function key(email: JsonValue): string {
  return JSON.stringify((email as JsonObject).type);
}

it('matches a simple model', () => {
  fc.assert(
    fc.property(fc.array(steps, { minLength: 1, maxLength: 10 }), (sequence) => {
      const model: Model = { emails: new Map() };
      sequence.forEach(({ apply }) => apply(model));
      const start: ScimResource = { schemas: [core], userName: 'u' };
      const operations = parsePatchRequest({
        Operations: sequence.map(({ operation }) => operation),
      });
      const { resource, changed } = applyPatch(start, operations, userResourceType);
      const expected = sortedEmails(render(model));
      expect(sortedEmails(resource)).toEqual(expected);
      expect(changed).toBe(Object.keys(expected).length > 2);
      const oneByOne = operations.reduce(
        (current, operation) => applyPatch(current, [operation], userResourceType).resource,
        start,
      );
      expect(oneByOne).toEqual(resource);
    }),
    { numRuns: 1_000 },
  );
});

it('matches scimmy on singular attributes and whole lists', async () => {
  const value = fc.constantFrom('x', 'y');
  const operation: fc.Arbitrary<JsonObject & { op: string }> = fc.oneof(
    fc
      .tuple(fc.constantFrom('add', 'replace'), fc.constantFrom('title', 'name.givenName'), value)
      .map(([op, path, text]) => ({ op, path, value: text })),
    fc.constantFrom('title', 'nickName').map((path) => ({ op: 'remove', path })),
    fc
      .tuple(fc.constantFrom('work', 'home'), value)
      .map(([type, text]) => ({ op: 'replace', path: 'emails', value: [{ value: text, type }] })),
    value.map((text) => ({ op: 'replace', value: { nickName: text } })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 5 }), async (operations) => {
      const start = { schemas: [core], userName: 'u', title: 'x', name: { familyName: 'F' } };
      const ours = applyPatch(
        start,
        parsePatchRequest({ Operations: operations }),
        userResourceType,
      ).resource;
      const message = new SCIMMY.Messages.PatchOp({
        schemas: [patchOp],
        Operations: structuredClone(operations) as PatchMessage['Operations'],
      });
      const instance = new SCIMMY.Schemas.User({ id: '1', ...structuredClone(start) }, 'out');
      const answer: unknown = (await message.apply(instance)) ?? { ...start };
      const { title, nickName, name, emails } = JSON.parse(JSON.stringify(answer)) as JsonObject;
      const theirs = JSON.parse(JSON.stringify({ title, nickName, name, emails })) as JsonObject;
      expect({
        title: ours.title,
        nickName: ours.nickName,
        name: ours.name,
        emails: ours.emails,
      }).toEqual(theirs);
    }),
    { numRuns: 200 },
  );
});
