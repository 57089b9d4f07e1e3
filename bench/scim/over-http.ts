/** The service as a side of a row that creates a user by each request. */
import assert from 'node:assert/strict';
import { service } from '../runner/define.js';
import { type HttpSide } from '../runner/types.js';
import { DSYNC_ENV, newDirectory } from '../directory.js';
import { userBody } from './works.js';

export const postUserOverHttp: HttpSide = service('dsync-api', {
  env: () => DSYNC_ENV,
  prepare: async ({ url }) => {
    const { path, headers } = await newDirectory(url);
    return {
      requests: [
        {
          method: 'POST',
          path: `${path}/Users`,
          headers,
          body: JSON.stringify(userBody('u{{n}}@bench.example')),
        },
      ],
      check: ({ status, body }) => {
        assert.equal(status, 201);
        assert.ok((JSON.parse(body) as { id: string }).id);
      },
    };
  },
});
