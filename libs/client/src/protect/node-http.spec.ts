import { nodeMiddleware, type NodeResponse } from './node-http.js';

const refusal = { status: 401, headers: { 'x-a': 'b' }, body: '{}' };
const request = { headers: {}, socket: {} };

/** A response, and the calls that a middleware made. */
function fixture(headersSent: boolean) {
  const calls: unknown[] = [];
  const response: NodeResponse = {
    headersSent,
    statusCode: 200,
    setHeader: (...header) => calls.push(header),
    end: (body) => calls.push(body),
  };
  return { calls, response };
}

it('a refused request never goes on, even if the response was sent meanwhile', async () => {
  for (const headersSent of [false, true]) {
    const { calls, response } = fixture(headersSent);
    const authorized = Promise.resolve(refusal);
    const guard = nodeMiddleware(
      () => authorized,
      () => calls.push('admitted'),
    );
    guard(request, response, () => calls.push('next'));
    await authorized;
    expect(calls).toEqual(headersSent ? [] : [['x-a', 'b'], '{}']);
  }
});
