/**
 * The images of others that docker-compose.yml names: the official ones, by digest, or stand-ins that
 * are made of Debian packages where no registry can be reached.
 */
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ask, mustRun } from '#local-stack/commands.mjs';
import { StackFault, reasonOf } from '#local-stack/fault.mjs';
import { workspace } from '#local-stack/layout.mjs';
import { IMAGE_NODE, provideNode } from '#local-stack/node-program.mjs';
import { findProgram, installProgram } from '#local-stack/programs.mjs';
import { type Engine, engineFolder, type RunContext } from './engine.js';

/** The variables of docker-compose.yml that name images, with values. */
export type ImageNames = Record<string, string>;

const STAND_IN = 'localhost/stand-in';
const DEBIAN_STAND_IN = `${STAND_IN}/debian`;
const DEBIAN_SUITE = 'trixie';
const DEBIAN_MIRROR = 'http://deb.debian.org/debian';

export async function provideForeignImages(
  engine: Engine,
  context: RunContext,
  note: (text: string) => void,
): Promise<ImageNames> {
  const official = officialImages();
  const pulled = await pull(engine, official['DEBIAN_IMAGE'] ?? '');
  if (pulled !== undefined) {
    await engine.provideCompose(pulled);
    const names: ImageNames = { DEBIAN_IMAGE: pulled };
    for (const [variable, name] of Object.entries(official)) {
      const image = names[variable] ?? (await pull(engine, name));
      if (image === undefined) throw new StackFault(`Cannot pull ${name}`);
      names[variable] = image;
    }
    note('the official ones, by digest');
    return names;
  }
  note('no registry can be reached; made stand-ins of Debian packages');
  return provideStandIns(engine, context, Object.keys(official));
}

/** The defaults in docker-compose.yml. */
function officialImages(): ImageNames {
  const text = readFileSync(join(workspace, 'docker-compose.yml'), 'utf8');
  return Object.fromEntries(
    [...text.matchAll(/\$\{(\w+_IMAGE):-([^}]+)\}/g)].map(([, variable = '', name = '']) => [
      variable,
      name,
    ]),
  );
}

/** @returns the image by its digest, or undefined if it cannot be pulled */
async function pull(engine: Engine, name: string): Promise<string | undefined> {
  try {
    await engine.docker('pull', 'pull', '--quiet', name);
  } catch (error) {
    if (/Interrupted/.test(reasonOf(error))) throw error;
    return undefined;
  }
  return engine.docker('digest', 'image', 'inspect', '--format', '{{index .RepoDigests 0}}', name);
}

async function provideStandIns(
  engine: Engine,
  context: RunContext,
  variables: string[],
): Promise<ImageNames> {
  if (!engine.hasImage(DEBIAN_STAND_IN)) await importDebian(engine, context);
  await engine.provideCompose(DEBIAN_STAND_IN);
  const folder = join(engineFolder, 'stand-ins');
  const { program, npm } = await provideNode(IMAGE_NODE, context);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  cpSync(join(workspace, 'tools', 'images', 'stand-ins'), folder, { recursive: true });
  copyFileSync(program, join(folder, 'node_modules', 'node'));
  cpSync(npm, join(folder, 'node_modules', 'npm'), { recursive: true });
  await engine.runCompose('stand-ins', ['build'], { folder });
  return Object.fromEntries(
    variables.map((variable) => [
      variable,
      `${STAND_IN}/${variable.replace('_IMAGE', '').toLowerCase()}`,
    ]),
  );
}

/** Debian's smallest system, as an image. */
async function importDebian(engine: Engine, context: RunContext): Promise<void> {
  const { layout, signal } = context;
  const debootstrap = { names: ['debootstrap'], debian: 'debootstrap', fedora: '', brew: [] };
  const installed = findProgram(debootstrap.names) ?? (await installProgram(debootstrap, context));
  if (typeof installed === 'object' && 'failures' in installed) {
    throw new StackFault(installed.failures.join('\n'));
  }
  const root = join(engineFolder, 'debian');
  const archive = `${root}.tar`;
  rmSync(root, { recursive: true, force: true });
  mkdirSync(engineFolder, { recursive: true });
  try {
    const make = ['--variant=minbase', DEBIAN_SUITE, root, debianMirror()];
    await mustRun(layout, 'debootstrap', { program: 'debootstrap', args: make }, { signal });
    const unused = ['dev', 'usr/share/doc', 'usr/share/locale', 'usr/share/man', 'var/cache/apt'];
    const pack = [
      '-C',
      root,
      '-cf',
      archive,
      '--exclude=./var/lib/apt/lists',
      ...unused.map((path) => `--exclude=./${path}`),
      '.',
    ];
    await mustRun(layout, 'pack', { program: 'tar', args: pack }, { signal });
    await engine.docker('import', 'import', archive, DEBIAN_STAND_IN);
  } finally {
    rmSync(root, { recursive: true, force: true });
    rmSync(archive, { force: true });
  }
}

/** The mirror that this machine uses, if it runs Debian itself. */
function debianMirror(): string {
  const release = '/etc/os-release';
  const isDebian = existsSync(release) && /^ID=debian$/m.test(readFileSync(release, 'utf8'));
  const { output } = ask('apt-get', [
    'indextargets',
    '--format',
    '$(SITE)',
    'Created-By: Packages',
  ]);
  const [mirror] = output.split('\n').filter((site) => /^https?:.*\/debian\/?$/.test(site));
  return isDebian && mirror !== undefined ? mirror : DEBIAN_MIRROR;
}
