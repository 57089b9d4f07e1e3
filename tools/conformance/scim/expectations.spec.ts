import { checkAnswer, checkJson } from './expectations.mjs';

const answer = (status: number, body?: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  text: body === undefined ? '' : JSON.stringify(body),
  json: body as never,
  elapsedMs: 5,
});

describe('checkJson', () => {
  const body = {
    text: 'Abc',
    number: 3,
    truth: true,
    nothing: null,
    none: [],
    list: ['b', 'a'],
    names: ['anna', 'Bert', 'carl'],
    created: '2026-01-02T03:04:05.678Z',
  };

  it.each([
    ['text', 'equal', 'Abc'],
    ['text', 'notEqual', 'abc'],
    ['text', 'equalLoose', 'ABC'],
    ['truth', 'equalLoose', 'True'],
    ['number', 'equalLoose', '3'],
    ['number', 'equalNumber', '3'],
    ['text', 'notEmpty', undefined],
    ['truth', 'notEmpty', undefined],
    ['nothing', 'absent', undefined],
    ['missing', 'absent', undefined],
    ['none', 'absentOrEmpty', undefined],
    ['number', 'isNumber', undefined],
    ['truth', 'isBoolean', undefined],
    ['text', 'isString', undefined],
    ['none', 'isArray', undefined],
    ['created', 'isDateTime', undefined],
    ['list', 'arrayHas', 'a'],
    ['list', 'notArrayHas', 'c'],
    ['list', 'length', 2],
    ['missing', 'length', 0],
    ['list', 'length>=', 1],
    ['number', 'min', 3],
    ['number', 'max', 3],
    ['text', 'endsWith', 'bc'],
    ['text', 'oneOf', ['Abc', 'x']],
    ['names', 'sortedAscCI', undefined],
    ['$', 'notEmpty', undefined],
  ])('%s %s %j holds', (path, op, value) => {
    expect(checkJson([{ path, op, value: value }], body)).toEqual([]);
  });

  it.each([
    ['text', 'equal', 'abc'],
    ['number', 'equal', '3'],
    ['text', 'equalNumber', 'Abc'],
    ['none', 'notEmpty', undefined],
    ['truth', 'absent', undefined],
    ['text', 'isNumber', undefined],
    ['text', 'isDateTime', undefined],
    ['list', 'length', 3],
    ['text', 'min', 1],
    ['list', 'sortedAsc', undefined],
    ['names', 'sortedAsc', undefined],
    ['names', 'sortedDescCI', undefined],
    ['text', 'oneOf', ['x']],
  ])('%s %s %j does not hold', (path, op, value) => {
    const [fault, ...more] = checkJson([{ path, op, value: value }], body);
    expect(more).toEqual([]);
    expect(fault).toContain(`expected ${path} ${op}`);
  });

  it('says so when it does not know an operator, rather than letting the case pass', () => {
    expect(checkJson([{ path: 'text', op: 'similar' }], body)).toEqual([
      'the operator "similar" is unknown',
    ]);
  });

  it('compares objects whatever the order of their names', () => {
    const value = { b: [{ d: 1, c: 2 }], a: null };
    expect(
      checkJson([{ path: '$', op: 'equal', value }], { a: null, b: [{ c: 2, d: 1 }] }),
    ).toEqual([]);
  });
});

describe('checkAnswer', () => {
  const described = { status: [200, 400], json: [{ path: 'id', op: 'notEmpty' }] };

  it('names the error that came instead of the status', () => {
    const body = { scimType: 'invalidValue', detail: 'userName is required.' };
    expect(checkAnswer({ status: [201] }, answer(400, body))).toEqual([
      'expected status 201, came 400 invalidValue: userName is required.',
    ]);
  });

  it('holds the body of a success against the description', () => {
    expect(checkAnswer(described, answer(200, {}))).toHaveLength(1);
  });

  it('leaves the body alone when another of the allowed statuses came, or one without a body', () => {
    expect(checkAnswer(described, answer(400, {}))).toEqual([]);
    expect(checkAnswer({ ...described, status: [200, 204] }, answer(204))).toEqual([]);
  });

  it('describes the body of an error when the first status is one', () => {
    expect(checkAnswer({ ...described, status: [405, 501] }, answer(501, {}))).toHaveLength(1);
  });

  it('checks texts and headers, whose names have no case', () => {
    const expected = {
      status: [200],
      text: [
        { op: 'includes', value: 'u1' },
        { op: 'notIncludes', value: 'u2' },
      ],
      headers: [
        { name: 'ETag', op: 'equalsJson', path: 'meta.version' },
        { name: 'Content-Type', op: 'contains', value: 'application/scim+json' },
        { name: 'Content-Location', op: 'equalsJsonIfPresent', path: 'meta.location' },
      ],
    };
    const body = { id: 'u1', meta: { version: 'W/"1"', location: 'https://a' } };
    const headers = { etag: 'W/"1"', 'content-type': 'application/scim+json; charset=utf-8' };
    expect(checkAnswer(expected, answer(200, body, headers))).toEqual([]);
    const wrong = { etag: 'W/"2"', 'content-location': 'https://b' };
    expect(checkAnswer(expected, answer(200, { ...body, id: 'u2' }, wrong))).toHaveLength(5);
  });

  it('holds a time limit', () => {
    expect(checkAnswer({ status: [200], maxMs: 4 }, answer(200))).toEqual([
      'expected at most 4 ms, took 5 ms',
    ]);
  });
});
