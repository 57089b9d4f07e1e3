/** Forms over HTTP: the service beside formidable, qs and ajv. */
import assert from 'node:assert/strict';
import { decodeRequest, decodes } from '../decode/http-rows.js';
import { fieldsOfPeer, traitsOfPeer } from '../decode/peer.js';
import { fields } from '../decode/sign-up-form.js';
import { type HttpRow, type LoadRequest } from '../runner/types.js';

type Fields = typeof fields;

const BOUNDARY = '----bench-0123456789';

export const besideFormidable: HttpRow[] = [
  row('urlencoded form of 23 fields', (form) =>
    decodeRequest('application/x-www-form-urlencoded', new URLSearchParams(form).toString()),
  ),
  row('multipart form of 23 fields', (form) =>
    decodeRequest(`multipart/form-data; boundary=${BOUNDARY}`, multipart(form)),
  ),
];

function row(name: string, encode: (form: Fields) => LoadRequest): HttpRow {
  return {
    kind: 'http',
    name,
    subject: decodes(encode(fields)),
    floor: {
      name: 'formidable, qs, ajv',
      script: 'dist/bench/peers/formidable-server.js',
      ready: '/ready',
      env: ({ peersDir }) => ({ NODE_ENV: 'production', PEERS_DIR: peersDir }),
      prepare: () => ({
        requests: [encode(fieldsOfPeer)],
        check: ({ status, body }) => {
          assert.equal(status, 200, body);
          assert.deepEqual(JSON.parse(body), { traits: traitsOfPeer });
        },
      }),
    },
  };
}

function multipart(form: Fields): string {
  const parts = form.map(
    ([name, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}
