// @ts-check
/** The image of a commit, by deploy/docker/Dockerfile and Buildah: no daemon, and one digest whenever it is built. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '../local-stack/commands.mjs';
import { workspace } from '../local-stack/layout.mjs';

const DOCKERFILE = join('deploy', 'docker', 'Dockerfile');
/** The arguments of the Dockerfile that name images. */
const BASES = ['NODE_IMAGE', 'DEBIAN_IMAGE'];
/** npm opens more files than a container of Buildah may by default. */
const FILES_MAX = 8192;
/** Needs no rights but those of the user. */
const ENV = { BUILDAH_ISOLATION: 'chroot', ...process.env };

/**
 * @typedef {object} BuiltImage
 * @property {string} digest of the manifest, `sha256:…`
 * @property {string} builder the version of Buildah, which the bytes of compressed layers depend on
 * @property {string[]} bases the images that it is made from, `name@sha256:…`
 */

/** @returns {string} the version of Buildah; empty if it is not installed */
export function buildahVersion() {
  return ask('buildah', ['--version']).output;
}

/** @returns {string} the file of a certificate that the npm registry needs; empty if it needs none */
export function registryCertificate() {
  const file = process.env['NODE_EXTRA_CA_CERTS'] ?? ask('npm', ['config', 'get', 'cafile']).output;
  return existsSync(file) ? file : '';
}

/**
 * @param {{ version: string, commit: string, source: string }} release
 * @param {string} archive the file that gets the image, as an OCI layout in a tar archive
 * @returns {BuiltImage}
 */
export function buildImage({ version, commit, source }, archive) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-image-'));
  const [context, layout] = [join(folder, 'context'), join(folder, 'layout')];
  try {
    mkdirSync(context);
    const sources = join(folder, 'source.tar');
    execFileSync('git', ['archive', `--output=${sources}`, commit], { cwd: workspace });
    execFileSync('tar', ['-xf', sources], { cwd: context });
    const dockerfile = readFileSync(join(context, DOCKERFILE), 'utf8');
    const bases = BASES.map((name) => [name, pinned(baseOf(dockerfile, name))]);
    const values = { ...Object.fromEntries(bases), VERSION: version, REVISION: commit };
    const time = git('log', '-1', '--format=%ct', commit);
    const idFile = join(folder, 'id');
    const given = Object.entries({ ...values, SOURCE: source }).map(
      ([name, value]) => `--build-arg=${name}=${value}`,
    );
    const certificate = registryCertificate();
    if (certificate !== '') given.push(`--secret=id=npm-ca,src=${certificate}`);
    const same = ['--no-cache', `--timestamp=${time}`, `--ulimit=nofile=${FILES_MAX}:${FILES_MAX}`];
    const files = [`--iidfile=${idFile}`, `--file=${join(context, DOCKERFILE)}`, context];
    buildah('build', ...same, ...given, ...files);
    const id = readFileSync(idFile, 'utf8').trim();
    buildah('push', id, `oci:${layout}:${version}`);
    buildah('rmi', id);
    const mode = ['--mode=u=rwX,go=rX', '--owner=0', '--group=0', '--numeric-owner'];
    const order = ['--sort=name', `--mtime=@${time}`, '--format=gnu'];
    const parts = ['blobs', 'index.json', 'oci-layout'];
    execFileSync('tar', ['-cf', archive, ...order, ...mode, '-C', layout, ...parts]);
    const { manifests } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8'));
    const names = bases.map(([, name = '']) => name);
    return { digest: manifests[0].digest, builder: buildahVersion(), bases: names };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} dockerfile
 * @param {string} name
 */
function baseOf(dockerfile, name) {
  return process.env[name] ?? new RegExp(`^ARG ${name}=(.+)$`, 'm').exec(dockerfile)?.[1] ?? '';
}

/**
 * Pulls an image.
 * @param {string} image
 * @returns its name with its digest
 */
function pinned(image) {
  if (image.includes('@')) return image;
  buildah('pull', '--policy=missing', image);
  const digest = ['--type=image', '--format={{.FromImageDigest}}', image];
  const output = execFileSync('buildah', ['inspect', ...digest], { encoding: 'utf8', env: ENV });
  return `${image.replace(/:[^/:]*$/, '')}@${output.trim()}`;
}

/** @param {string[]} args */
function buildah(...args) {
  execFileSync('buildah', args, { cwd: workspace, env: ENV, stdio: 'inherit' });
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: workspace, encoding: 'utf8' }).trim();
}
