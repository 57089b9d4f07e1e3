/** What a release consists of can be verified, and built again. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bundle, bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, Verifier } from '@sigstore/verify';
import { workspace } from '#local-stack/layout.mjs';
import { packFolder } from '../npm-package/pack.mjs';
import { describeRelease, signRelease } from './artifacts.mjs';
import { billOfMaterials } from '../bundle/sbom.mjs';

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-release-'));
  folders.push(folder);
  return folder;
};
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const succeeds = (program: string, args: string[], options: { cwd: string; input?: string }) =>
  spawnSync(program, args, options).status === 0;

it('the bill of materials lists what ships, and is the same each time', () => {
  const bill = billOfMaterials();
  expect(billOfMaterials()).toBe(bill);
  const { components } = JSON.parse(bill) as {
    components: { name: string; licenses: unknown[] }[];
  };
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(workspace, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const names = components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(Object.keys(devDependencies).filter((name) => names.includes(name))).not.toContain('jest');
  expect(components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
});

it('an npm package has one digest when it is packed from two folders at two times', () => {
  const packed = (modified: number) => {
    const folder = newFolder();
    const file = join(folder, 'index.js');
    writeFileSync(file, 'export {};');
    utimesSync(file, modified, modified);
    return digestOf(packFolder(folder, newFolder(), { name: 'x', version: '1.0.0' }));
  };
  expect(packed(2_000_000_000)).toBe(packed(1_000_000_000));
});

it('the bundle of an image has one digest when it is built twice, with its compiled code', () => {
  const digests = () => {
    const env = { ...process.env, REVISION: 'f'.repeat(40) };
    execFileSync(process.execPath, ['tools/bundle/bundle-app.mjs', 'console'], {
      cwd: folder,
      env,
    });
    const bundle = join(folder, '.build', 'bundles', 'console');
    return readdirSync(bundle, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, digestOf(join(parentPath, name))])
      .sort();
  };
  // Beside the bundles that other tests use.
  const folder = newFolder();
  const parts = ['apps', 'libs', 'tools', 'package.json', 'package-lock.json', '.swcrc'];
  parts.push('tsconfig.base.json', 'nx.json', 'docs', 'README.md', 'SECURITY.md', 'deploy');
  execFileSync('cp', ['-r', ...parts, folder], { cwd: workspace });
  execFileSync('ln', ['-s', join(workspace, 'node_modules'), folder]);
  const first = digests();
  expect(first.map(([name]) => name)).toContain('main.script.js.cache');
  expect(digests()).toEqual(first);
});

const source = 'https://git.example.com/gatehouse.git';
const image = {
  digest: `sha256:${'a'.repeat(64)}`,
  builder: 'buildah version 1.28.2',
  bases: [`registry.example.com/debian@sha256:${'b'.repeat(64)}`],
};

/** With one package, described as a release. */
const original = newFolder();
beforeAll(() => {
  writeFileSync(join(original, 'gatehouse-1.0.0.tgz'), 'package');
  describeRelease(original, { version: '1.0.0', commit: 'f'.repeat(40), source, image });
});
const described = () => {
  const folder = newFolder();
  cpSync(original, folder, { recursive: true });
  return folder;
};

it('a signature of SSH holds for the files of a release, and not for others', () => {
  const keys = newFolder();
  const key = join(keys, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
  writeFileSync(join(keys, 'allowed'), `gatehouse ${readFileSync(`${key}.pub`, 'utf8')}`);
  const folder = described();
  expect(signRelease(folder, {})).toEqual([]);
  expect(signRelease(folder, { sshKey: key })).toEqual(['SHA256SUMS.sig']);
  const verified = () => {
    const who = ['-f', join(keys, 'allowed'), '-I', 'gatehouse', '-n', 'gatehouse'];
    const input = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    const args = ['-Y', 'verify', ...who, '-s', 'SHA256SUMS.sig'];
    return succeeds('ssh-keygen', args, { cwd: folder, input });
  };
  const intact = () => succeeds('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder });
  expect([verified(), intact()]).toEqual([true, true]);
  writeFileSync(join(folder, 'gatehouse-1.0.0.tgz'), 'another');
  expect([verified(), intact()]).toEqual([true, false]);
  const sums = join(folder, 'SHA256SUMS');
  writeFileSync(sums, readFileSync(sums, 'utf8').replace(/^./, 'x'));
  expect(verified()).toBe(false);
});

it('bundles of Sigstore hold for the digests and the provenance, and not for others', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = join(newFolder(), 'key.pem');
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const folder = described();
  const names = ['SHA256SUMS.sigstore.json', 'provenance.sigstore.json'];
  expect(signRelease(folder, { key })).toEqual(names);
  const [sums, provenance] = names.map((name) =>
    bundleFromJSON(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
  );
  const content = readFileSync(join(folder, 'SHA256SUMS'));
  const verify = (bundle: typeof sums, by: KeyObject, text?: Buffer) => () =>
    verifierOf(by).verify(toSignedEntity(bundle as Bundle, text));
  expect(verify(sums, publicKey, content)).not.toThrow();
  expect(verify(provenance, publicKey)).not.toThrow();
  expect(verify(sums, publicKey, Buffer.concat([content, Buffer.from('x')]))).toThrow();
  const { publicKey: another } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  expect(verify(provenance, another)).toThrow();
  const { privateKey: other } = generateKeyPairSync('ed25519');
  writeFileSync(key, other.export({ type: 'pkcs8', format: 'pem' }));
  expect(() => signRelease(folder, { key })).toThrow('P-256');
});

it('the provenance names each file, the image, the commit, the lock file and the bases', () => {
  const folder = described();
  const text = readFileSync(join(folder, 'provenance.json'), 'utf8');
  const { subject, predicateType, predicate } = JSON.parse(text) as Provenance;
  expect(predicateType).toBe('https://slsa.dev/provenance/v1');
  expect(subject.map(({ name, digest }) => [name, digest.sha256])).toEqual([
    ...['gatehouse-1.0.0.tgz', 'sbom.cdx.json'].map((name) => [name, digestOf(join(folder, name))]),
    ['gatehouse', 'a'.repeat(64)],
  ]);
  expect(predicate.buildDefinition.resolvedDependencies).toEqual([
    { uri: `git+${source}`, digest: { gitCommit: 'f'.repeat(40) } },
    {
      uri: `git+${source}#package-lock.json`,
      digest: { sha256: digestOf(join(workspace, 'package-lock.json')) },
    },
    { uri: `oci://${image.bases[0]}`, digest: { sha256: 'b'.repeat(64) } },
  ]);
});

interface Provenance {
  subject: { name: string; digest: { sha256: string } }[];
  predicateType: string;
  predicate: { buildDefinition: { resolvedDependencies: unknown[] } };
}

/** A verifier that trusts one key, and no log. */
function verifierOf(publicKey: KeyObject): Verifier {
  const trusted = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] };
  return new Verifier(
    { ...trusted, publicKey: () => ({ publicKey, validFor: () => true }) },
    { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 },
  );
}
