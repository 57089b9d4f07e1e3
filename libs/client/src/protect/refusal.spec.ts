import { refusalFor } from './refusal.js';

const refusal = (code: string, scopes: string[] = []) =>
  refusalFor(
    { code: `VERIFICATION_ERROR_${code}`, detail: 'No.' },
    { parameter: 'realm="API"', scopes },
  );

it('an error that this version does not know is 403', () => {
  expect(refusal('OF_TOMORROW')).toMatchObject({
    status: 403,
    body: '{"type":"about:blank","title":"Forbidden","status":403,"detail":"No.","code":"VERIFICATION_ERROR_OF_TOMORROW"}',
  });
});

it.each([
  ['a:read b', 'scope="a:read b"'],
  ['quo"te', undefined],
  ['back\\slash', undefined],
  ['line\r\nbreak', undefined],
  ['шкала', undefined],
])('the challenge has the scopes %j if a header can', (scope, expected) => {
  const { headers } = refusal('INSUFFICIENT_SCOPE', scope.split(' '));
  const parts = ['Bearer realm="API"', 'error="insufficient_scope"', expected];
  expect(headers['www-authenticate']).toBe(parts.filter(Boolean).join(', '));
  expect(() => new Headers(headers)).not.toThrow();
});
