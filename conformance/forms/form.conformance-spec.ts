import {
  compileSchema,
  fieldError,
  type JsonObject,
  type JsonValue,
  parseUrlencoded,
  uiNodes,
} from '@gatehouse/form-decoder';
import { type CaseGroup, groupTitle, readCases } from '../case-files.js';
import { type FormSchema, schemaOf } from './form-schema.js';

interface Submission {
  name: string;
  send: string;
  messages: Record<string, number>;
  shown?: JsonObject;
  ignored?: string[];
}

interface Message {
  pointer: string;
  code: string;
  params?: JsonObject;
  name: string;
  id: number;
}

/** The first member is the property. */
interface Control extends Record<string, JsonValue | undefined> {
  attributes: JsonObject;
  options?: JsonValue[];
}

interface FormFile {
  submissions: (CaseGroup &
    FormSchema & { stored?: Record<string, string>; cases: Submission[] })[];
  messages: (CaseGroup & { cases: Message[] })[];
  controls: (CaseGroup & { cases: Control[] })[];
  nodes: (CaseGroup & { schema: JsonObject; value?: JsonObject; nodes: JsonObject[] })[];
}

const { submissions, messages, controls, nodes } = readCases<FormFile>('forms/forms.yaml');

for (const { cases, stored, ...group } of submissions) {
  describe(groupTitle(group), () => {
    const plan = compileSchema(schemaOf(group));

    it.each(cases.map((each) => [each.name, each] as const))('%s', (_name, each) => {
      const sent = parseUrlencoded(each.send);
      const untouched = Object.entries(stored ?? {}).filter(
        ([name]) => !sent.some(([other]) => other === name),
      );
      const decoded = plan.decode([...untouched, ...sent]);
      const errors = plan.errors(decoded);
      expect(Object.fromEntries(errors.map(({ name, id }) => [name, id]))).toEqual(each.messages);
      if (each.ignored !== undefined) expect(decoded.ignored).toEqual(each.ignored);
      const shown = uiNodes(plan.form(decoded.value, errors)).map(({ attributes }) => [
        attributes.name,
        attributes.value,
      ]);
      expect(Object.fromEntries(shown)).toMatchObject(each.shown ?? {});
    });
  });
}

for (const { cases, ...group } of messages) {
  describe(groupTitle(group), () => {
    it.each(cases)('$code at "$pointer" is $id', ({ pointer, code, params, name, id }) => {
      expect(fieldError(pointer, code, params)).toMatchObject({ name, id });
    });
  });
}

for (const { cases, ...group } of controls) {
  describe(groupTitle(group), () => {
    it.each(cases.map((each) => [Object.keys(each)[0] ?? '', each] as const))(
      'a control for %s',
      (name, { [name]: property, attributes, options }) => {
        const schema = { type: 'object', properties: { [name]: property ?? {} } };
        const [node] = uiNodes(compileSchema(schema, { root: 'document' }).form());
        expect(node?.attributes).toMatchObject(attributes);
        if (options !== undefined) {
          const found = node?.attributes.options as { value: JsonValue }[];
          expect(found.map(({ value }) => value)).toEqual(options);
        }
      },
    );
  });
}

for (const { schema, value, nodes: wanted, ...group } of nodes) {
  it(groupTitle(group), () => {
    const found = uiNodes(compileSchema(schema, { root: 'document' }).form(value));
    expect(
      found.map(({ attributes }, index) =>
        Object.fromEntries(
          Object.keys(wanted[index] ?? {}).map((name) => [name, attributes[name]]),
        ),
      ),
    ).toEqual(wanted);
  });
}
