import { compileSchema } from '../src/compile-schema.js';
import { type FormEntry } from '../src/model/form-decoder.types.js';
import { kitchenSink } from './kitchen-sink.js';
import { parseUrlencoded } from '../src/read/urlencoded.reader.js';

const TIMES = 32;
/** The largest ratio of one run of 32-fold input to 32 runs of the input: linear is 1, quadratic 32. */
const SURPLUS_MAX = 10;
const ROUNDS_MAX = 20;

/** A busy machine slows single rounds down: the best of them count, and it only takes more of them. */
function surplus(run: (size: number) => () => void, size: number): number {
  const small = run(size);
  const large = run(size * TIMES);
  let smallBest = Infinity;
  let largeBest = Infinity;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const start = performance.now();
    for (let time = 0; time < TIMES; time += 1) small();
    const middle = performance.now();
    large();
    smallBest = Math.min(smallBest, middle - start);
    largeBest = Math.min(largeBest, performance.now() - middle);
    if (round > 2 && largeBest < SURPLUS_MAX * smallBest) break;
  }
  return largeBest / smallBest;
}

describe('time', () => {
  const wide = compileSchema(kitchenSink, {
    limits: { fieldsMax: 100_000, rowsMax: 100_000, valueBytesMax: 1_000_000 },
  });
  const repeated = (entry: (index: number) => FormEntry) => (size: number) => {
    const entries = Array.from({ length: size }, (_, index) => entry(index));
    return () => void wide.errors(wide.decode(entries));
  };

  it.each<[string, (index: number) => FormEntry]>([
    ['values of one list', () => ['traits.l', '1']],
    ['values of one list, all different', (index) => ['traits.l[]', String(index)]],
    ['entries by index', (index) => [`traits.l.${index}`, String(index)]],
    ['rows', (index) => [`traits.p.${index}.k`, 'x']],
    ['values below a union', (index) => [`traits.u.${index}`, '1']],
    ['members of an open object', (index) => [`traits.free.m${index}`, '1']],
    ['names without a place', (index) => [`x${index}`, '1']],
    ['contradictions', (index) => [`traits.o${index % 2 === 0 ? '' : '.a'}`, '{"a":1}']],
  ])('grows in line with the number of %s', (_, entry) => {
    expect(surplus(repeated(entry), 500)).toBeLessThan(SURPLUS_MAX);
  });

  it('reads a body in line with its length, also after V8 has compiled the loop', () => {
    const limits = { fieldsMax: 100_000 };
    const read = (size: number) => {
      const body = new Array(size).fill('traits.l=1').join('&');
      return () => void parseUrlencoded(body, limits);
    };
    const warm = read(10_000);
    for (let time = 0; time < 20; time += 1) warm();
    expect(surplus(read, 500)).toBeLessThan(SURPLUS_MAX);
  });

  it('grows in line with the length of names and values', () => {
    const run = (entry: (size: number) => FormEntry) => (size: number) => {
      const entries = [entry(size)];
      return () => void wide.errors(wide.decode(entries));
    };
    expect(
      surplus(
        run((size) => [`traits${'.n'.repeat(size)}`, '1']),
        1000,
      ),
    ).toBeLessThan(SURPLUS_MAX);
    expect(
      surplus(
        run((size) => [`traits.l${'[0]'.repeat(size)}`, '1']),
        1000,
      ),
    ).toBeLessThan(SURPLUS_MAX);
    expect(
      surplus(
        run((size) => ['traits.o', `{"a":${'['.repeat(size)}`]),
        1000,
      ),
    ).toBeLessThan(SURPLUS_MAX);
  });

  it('grows in line with the length of a text whose pattern explodes in a backtracking engine', () => {
    const check = (size: number) => {
      const values = wide.decode({ 'traits.s': `${'a'.repeat(size)}!` });
      expect(wide.errors(values).map(({ code }) => code)).toContain('pattern');
      return () => void wide.errors(values);
    };
    expect(surplus(check, 3000)).toBeLessThan(SURPLUS_MAX);
  });

  it('to show rows with errors grows in line with their number', () => {
    const properties = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`p${i}`, {}]));
    const required = Object.keys(properties).slice(20);
    const row = {
      type: 'object',
      properties: { ...properties, free: { type: 'object' } },
      required,
    };
    const rows = compileSchema({
      properties: {
        traits: { type: 'object', properties: { r: { type: 'array', items: row } } },
      },
    });
    const show = (size: number) => {
      const entries = Array.from({ length: size }, (_, i): FormEntry => [`traits.r.${i}.p0`, 'x']);
      const decoded = rows.decode(entries);
      const errors = rows.errors(decoded);
      expect(errors.length).toBeGreaterThan(50);
      return () => void rows.form(decoded.value, errors);
    };
    expect(surplus(show, 30)).toBeLessThan(SURPLUS_MAX);
  });
});
