/** Bases in place of those of Docker Hub, from packages of Debian and npm, for a machine that reaches only these. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '#local-stack/commands.mjs';
import { StackFault } from '#local-stack/fault.mjs';
import { type Variables } from './engine.js';

const DEBIAN_IMAGE = 'localhost/gatehouse-debian';
const NODE_IMAGE = 'localhost/gatehouse-node';
const DEBIAN = `FROM scratch
ADD debian.tar /
`;
const NODE = `FROM ${DEBIAN_IMAGE}
COPY node/package/bin/node /usr/local/bin/node
COPY npm/package /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && node --version && npm --version
`;
/** Without a time of their own, the packages would be of the time of the build. */
const TIME = '1767225600';

/** @returns the arguments of deploy/docker/Dockerfile that name them, with Buildah's store */
export function makeOwnBases(): Variables {
  if (!ask('mmdebstrap', ['--version']).ok) {
    throw new StackFault('mmdebstrap is missing', 'apt-get install mmdebstrap');
  }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bases-'));
  try {
    const run = (program: string, ...args: string[]) =>
      execFileSync(program, args, {
        cwd: folder,
        env: { BUILDAH_ISOLATION: 'chroot', SOURCE_DATE_EPOCH: TIME, ...process.env },
        stdio: 'inherit',
      });
    const build = (image: string, instructions: string) => {
      writeFileSync(join(folder, 'Dockerfile'), instructions);
      run('buildah', 'build', '--no-cache', `--timestamp=${TIME}`, `--tag=${image}`, '.');
    };
    run('mmdebstrap', '--variant=minbase', 'trixie', 'debian.tar');
    build(DEBIAN_IMAGE, DEBIAN);
    for (const [name, spec] of [
      ['node', `node-linux-${process.arch}@24`],
      ['npm', 'npm@11'],
    ] as const) {
      mkdirSync(join(folder, name));
      run('npm', 'pack', '--silent', spec, '--pack-destination', name);
      run('sh', '-c', `tar -xzf ${name}/*.tgz -C ${name} && rm ${name}/*.tgz`);
    }
    build(NODE_IMAGE, NODE);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { DEBIAN_IMAGE, NODE_IMAGE };
}
