/** A server of Node.js with formidable for the form, qs for the nesting and ajv for the types. */
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compile, qs } from '../decode/peer.js';

/** As much of the package as is used here. */
interface Formidable {
  formidable: () => {
    parse: (request: IncomingMessage) => Promise<[Record<string, string[]>, unknown]>;
  };
}

const { PEERS_DIR = '', PORT, HOST } = process.env;
const require = createRequire(join(PEERS_DIR, 'package.json'));
const { formidable } = require('formidable') as Formidable;
const validate = compile();

const server = createServer((request, response) => {
  if (request.url === '/ready') {
    response.end();
    return;
  }
  void decode(request).then((value) => {
    response.statusCode = validate(value) ? 200 : 422;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(validate.errors ?? value));
  });
});
server.listen(Number(PORT), HOST);
process.once('SIGTERM', () => server.close());

async function decode(request: IncomingMessage): Promise<unknown> {
  const [fields] = await formidable().parse(request);
  const form = Object.entries(fields).map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : values,
  ]);
  return qs.parse(Object.fromEntries(form) as object, { allowDots: true });
}
