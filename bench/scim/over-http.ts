/** SCIM requests over HTTP, and the service as a side of a row that creates a user by each. */
import assert from 'node:assert/strict';
import { service } from '../runner/define.js';
import { type HttpSide, type Load } from '../runner/types.js';
import { type BenchDirectory, DSYNC_ENV, newDirectory } from '../directory.js';
import { userBody } from './works.js';

export const postUserOverHttp: HttpSide = service('dsync-api', {
  env: () => DSYNC_ENV,
  prepare: async ({ url }) => postUsers(await newDirectory(url)),
});

export function postUsers({ path, headers }: BenchDirectory): Load {
  const body = JSON.stringify(userBody('u{{n}}@bench.example'));
  return {
    requests: [{ method: 'POST', path: `${path}/Users`, headers, body }],
    check: (response) => {
      assert.equal(response.status, 201);
      assert.ok((JSON.parse(response.body) as { id: string }).id);
    },
  };
}
