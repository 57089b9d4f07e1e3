import { protection } from './protection.js';

const PROBLEM = {
  type: 'about:blank',
  title: 'Service Unavailable',
  status: 503,
  detail: 'The credential cannot be verified at the moment. Try again later.',
  code: 'VERIFICATION_ERROR_INTERNAL',
};

/** The decision about a request while Gatehouse answers like this, and what the developer gets. */
async function decisionWhile(answer: () => Response | Promise<Response>) {
  const errors: unknown[] = [];
  const authorize = protection({
    url: 'https://keys.example',
    key: 'our-own-key',
    fetch: () => Promise.resolve(answer()),
    onError: (error) => errors.push(error),
  });
  const decision = await authorize({ 'x-api-key': 'key-of-a-client' }, undefined);
  return { decision, errors };
}

it.each([
  ['no connection', () => Promise.reject(new TypeError('fetch failed')), '1'],
  ['no JSON', () => new Response('<html>'), '1'],
  ['JSON of something else', () => Response.json({}), '1'],
  ['a result that is no boolean', () => Response.json({ is_valid: 'true' }), '1'],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: '/' } }), '1'],
  ['our key is refused', () => Response.json({}, { status: 403 }), '1'],
  [
    'our key is over its limit',
    () => Response.json({}, { status: 429, headers: { 'retry-after': '7' } }),
    '7',
  ],
  [
    'the store is away',
    () => Response.json({ is_valid: false, error_code: 'VERIFICATION_ERROR_INTERNAL' }),
    '1',
  ],
])('%s: 503, closed, and the developer learns why', async (_, answer, seconds) => {
  const { decision, errors } = await decisionWhile(answer);
  expect(decision).toMatchObject({ status: 503, headers: { 'retry-after': seconds } });
  expect(JSON.parse((decision as { body: string }).body)).toEqual(PROBLEM);
  expect(errors).toHaveLength(1);
});

it('an onError that fails does not change the answer', async () => {
  const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const fault = new Error('in onError');
  const authorize = protection({
    url: 'https://keys.example',
    key: 'our-own-key',
    fetch: () => Promise.reject(new TypeError('fetch failed')),
    onError: () => Promise.reject(fault),
  });
  const decision = await authorize({ 'x-api-key': 'key-of-a-client' }, undefined);
  expect(decision).toMatchObject({ status: 503 });
  await new Promise(setImmediate);
  expect(logged).toHaveBeenCalledWith(fault);
  logged.mockRestore();
});

it('a connection without an address or a key is an error at the start', () => {
  expect(() => protection({ url: 'https://keys.example', key: '' })).toThrow(/GATEHOUSE_KEY/);
});
