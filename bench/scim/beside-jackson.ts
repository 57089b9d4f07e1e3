/** The library that people use today, in process: the same requests on both sides. */
import { type ProcessRow } from '../runner/types.js';
import { migratedDatabase, newDatabase } from './databases.js';
import { type WorkName } from './works.js';

export const JACKSON = { '@boxyhq/saml-jackson': '26.2.0' };

export const besideJackson: ProcessRow[] = [
  row('POST user', 'postUser', 4),
  row('GET filter userName eq', 'filterUserName', 3),
  row('PATCH active', 'patchActive', 4),
  row('PATCH group, add one member', 'addMember', 4),
];

/** Each side has its own database. */
function row(name: string, work: WorkName, ratio: number): ProcessRow {
  return {
    kind: 'process',
    name,
    concurrency: 8,
    unit: 'requests',
    aim: { ratio },
    subject: {
      name: 'directory-sync',
      script: 'dist/bench/scim/ours.js',
      options: async (context) => ({ url: await migratedDatabase(context, `ours_${work}`), work }),
    },
    floor: {
      name: '@boxyhq/saml-jackson',
      script: 'dist/bench/scim/peer.js',
      options: async (context) => ({ url: await newDatabase(context, `peer_${work}`), work }),
    },
  };
}
