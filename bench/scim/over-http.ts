/** The service as a side of a row that creates a user by each request. */
import assert from 'node:assert/strict';
import { service } from '../runner/define.js';
import { type HttpSide } from '../runner/types.js';
import { DSYNC_ENV, newDirectory } from '../directory.js';
import { userBody } from './works.js';

const options: Parameters<typeof service>[1] = {
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
};

export const postUserOverHttp: HttpSide = service('dsync-api', options);

/** The same service, whose log of SCIM requests is off. */
export const postUserWithoutLog: HttpSide = service('dsync-api', {
  ...options,
  name: 'without the log',
  env: () => DSYNC_ENV,
});
