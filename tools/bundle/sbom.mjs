// @ts-check
// `node tools/bundle/sbom.mjs`: prints the software bill of materials of what ships, in CycloneDX, from
// package-lock.json alone. The same lock file gets the same bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const workspace = join(import.meta.dirname, '..', '..');
const ARGUMENTS = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];
const SCOPE = ['--package-lock-only'];

/**
 * @typedef {object} Bill
 * @property {string} serialNumber
 * @property {{ timestamp?: string, component: { name: string, 'bom-ref': string } }} metadata
 * @property {{ 'bom-ref': string }[]} components
 * @property {{ ref: string, dependsOn: string[] }[]} dependencies
 */

/** @returns {string} JSON */
export function billOfMaterials() {
  const output = execFileSync('npm', [...ARGUMENTS, ...SCOPE], {
    cwd: workspace,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  /** @type {Bill} */
  const bill = JSON.parse(output);
  const text = readFileSync(join(workspace, 'package-lock.json'), 'utf8');
  // With --omit=dev, npm leaves out packages that tools need as well.
  const { packages } = JSON.parse(text);
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  const names = new Set(
    shipped.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
  );
  bill.components = bill.components.filter(({ 'bom-ref': ref }) => names.has(ref));
  names.add(bill.metadata.component['bom-ref']);
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => names.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => names.has(each)) }));
  // npm takes a random number, the time, and the name of the folder.
  const lock = createHash('sha256').update(text);
  const uuid = lock
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-8$3-8$4-$5');
  bill.serialNumber = `urn:uuid:${uuid}`;
  delete bill.metadata.timestamp;
  bill.metadata.component.name = 'gatehouse';
  return `${JSON.stringify(bill, null, 2)}\n`;
}

if (process.argv[1] === import.meta.filename) {
  process.stdout.write(billOfMaterials());
}
