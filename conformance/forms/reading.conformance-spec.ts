import {
  compileSchema,
  fieldError,
  type FormEntry,
  type JsonObject,
  parseUrlencoded,
} from '@gatehouse/form-decoder';
import { type CaseGroup, groupTitle, readCases } from '../case-files.js';

type Cases<Result> = (CaseGroup & { cases: Record<string, Result>[] })[];

interface ReadingFile {
  written: Cases<FormEntry[]>;
  read: Cases<FormEntry[]>;
  pointers: Cases<string | null>;
  names: (CaseGroup & { schema: JsonObject; names: string[] })[];
}

const { written, read, pointers, names } = readCases<ReadingFile>('forms/reading.yaml');

for (const { cases, ...group } of [...written, ...read]) {
  describe(groupTitle(group), () => {
    it.each(cases.flatMap(Object.entries))('%s', (body: string, entries: FormEntry[]) => {
      expect(parseUrlencoded(body)).toEqual(entries);
    });
  });
}

for (const { cases, ...group } of pointers) {
  describe(groupTitle(group), () => {
    it.each(cases.flatMap(Object.entries))('%s is %s', (pointer: string, name: string | null) => {
      const error = () => fieldError(pointer, 'invalid');
      if (name === null) expect(error).toThrow(RangeError);
      else expect(error().name).toBe(name);
    });
  });
}

for (const group of names) {
  describe(groupTitle(group), () => {
    const plan = compileSchema(group.schema, { root: 'document' });

    it.each(group.names)('%s has a place', (name) => {
      expect(plan.decode([[name, '']]).ignored).toEqual([]);
    });
  });
}
