/** `npm run images -- --digest`: builds the image of the last commit twice, as a release does, and compares. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '#local-stack/commands.mjs';
import { StackFault } from '#local-stack/fault.mjs';
import { workspace } from '#local-stack/layout.mjs';
import { type Progress } from '#local-stack/progress.mjs';
import { type BuiltImage, buildahVersion, buildImage } from '#release/image.mjs';
import { makeOwnBases } from './own-bases.js';

/** @throws StackFault if two builds differ */
export function compareBuilds(
  progress: Progress,
  { version, ownBases }: { version: string; ownBases: boolean },
): void {
  if (!buildahVersion()) throw new StackFault('Buildah is missing', 'apt-get install buildah');
  if (ownBases) Object.assign(process.env, makeOwnBases());
  const commit = ask('git', ['rev-parse', 'HEAD'], { cwd: workspace }).output;
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-digest-'));
  const build = (name: string) => {
    const archive = join(folder, name);
    const image: BuiltImage = buildImage({ version, commit, source: 'unknown' }, archive);
    const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex');
    progress.say(`${image.digest}  (image.tar: ${sha256})`);
    return `${image.digest} ${sha256}`;
  };
  try {
    if (build('first.tar') !== build('second.tar')) {
      throw new StackFault('Two builds of one commit differ', 'Compare the layers of both.');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
