import { type AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { exchange } from '../../test/raw-exchange.js';
import { checkHttpRequirements, UNCHECKED_HTTP } from './http-requirements.js';

let server: FastifyInstance;
let port: number;

beforeAll(async () => {
  server = fastify({ http: UNCHECKED_HTTP });
  server.setErrorHandler((error: { httpStatus: number; code: string }, _request, reply) =>
    reply.status(error.httpStatus).send({ code: error.code }),
  );
  checkHttpRequirements(server);
  server.post('/', () => ({ ok: true }));
  await server.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = server.server.address() as AddressInfo);
});
afterAll(() => server.close());

const answerTo = async (text: string) => {
  const { received } = await exchange(
    port,
    (socket) => socket.write(text),
    (soFar) => soFar.endsWith('}'),
  );
  return [
    Number(/^HTTP\/1\.1 (?:100 Continue\r\n\r\nHTTP\/1\.1 )?(\d+)/.exec(received)?.[1]),
    received.split('\r\n\r\n').at(-1),
  ];
};
const rest = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';

it.each([
  ['HTTP/1.1 without Host', `POST / HTTP/1.1\r\n${rest}`, 400, '{"code":"HOST_MISSING"}'],
  [
    'the same for an unknown address',
    `POST /x HTTP/1.1\r\n${rest}`,
    400,
    '{"code":"HOST_MISSING"}',
  ],
  ['HTTP/1.0 without Host', `POST / HTTP/1.0\r\n${rest}`, 200, '{"ok":true}'],
  [
    'an unknown expectation',
    `POST / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n${rest}`,
    417,
    '{"code":"EXPECTATION_FAILED"}',
  ],
  [
    '100-continue',
    `POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\n${rest}`,
    200,
    '{"ok":true}',
  ],
  ['neither', `POST / HTTP/1.1\r\nHost: x\r\n${rest}`, 200, '{"ok":true}'],
])('%s', async (_, text, status, body) => {
  expect(await answerTo(text)).toEqual([status, body]);
});
