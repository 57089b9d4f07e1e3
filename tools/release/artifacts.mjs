// @ts-check
/** The files of a release: packages, bill of materials, provenance, digests, signatures. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { billOfMaterials } from '../bundle/sbom.mjs';
import { workspace } from '../local-stack/layout.mjs';
import { signedBlob, signedStatement, signingKey } from './sigstore.mjs';

export const SUMS = 'SHA256SUMS';
const PROVENANCE = 'provenance.json';

/**
 * Completes the packages in a folder.
 * @param {string} folder
 * @param {{ version: string, commit: string, source: string, image?: import('./image.mjs').BuiltImage }} release
 */
export function describeRelease(folder, { version, commit, source, image }) {
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials());
  const subject = digestsIn(folder).map(({ name, sha256 }) => ({ name, digest: { sha256 } }));
  if (image) subject.push({ name: 'gatehouse', digest: sha256In(image.digest) });
  const bases = (image?.bases ?? []).map((name) => ({
    uri: `oci://${name}`,
    digest: sha256In(name),
  }));
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${source}#npm-run-release`,
        externalParameters: { version },
        internalParameters: {
          node: process.version,
          platform: `${process.platform}-${process.arch}`,
        },
        resolvedDependencies: [
          { uri: `git+${source}`, digest: { gitCommit: commit } },
          {
            uri: `git+${source}#package-lock.json`,
            digest: { sha256: digestOf(join(workspace, 'package-lock.json')) },
          },
          ...bases,
        ],
      },
      runDetails: {
        builder: {
          id: `${source}#tools/release.mjs`,
          ...(image && { version: { buildah: image.builder } }),
        },
      },
    },
  };
  writeFileSync(join(folder, PROVENANCE), `${JSON.stringify(statement, null, 2)}\n`);
  const lines = digestsIn(folder).map(({ name, sha256 }) => `${sha256}  ${name}\n`);
  writeFileSync(join(folder, SUMS), lines.join(''));
}

/**
 * Signs the provenance, and the digests and with them every file.
 * @param {string} folder
 * @param {{ sshKey?: string, key?: string }} keys files: an SSH key, and a private key in PEM
 * @returns {string[]} names of the signatures
 */
export function signRelease(folder, { sshKey, key }) {
  const signatures = [];
  if (sshKey) {
    const args = ['-Y', 'sign', '-n', 'gatehouse', '-f', sshKey, join(folder, SUMS)];
    execFileSync('ssh-keygen', args, { stdio: 'ignore' });
    signatures.push(`${SUMS}.sig`);
  }
  if (key) {
    const privateKey = signingKey(readFileSync(key, 'utf8'));
    const bundles = {
      [`${SUMS}.sigstore.json`]: signedBlob(readFileSync(join(folder, SUMS)), privateKey),
      'provenance.sigstore.json': signedStatement(
        readFileSync(join(folder, PROVENANCE)),
        privateKey,
      ),
    };
    for (const [name, text] of Object.entries(bundles)) writeFileSync(join(folder, name), text);
    signatures.push(...Object.keys(bundles));
  }
  return signatures;
}

/** @param {string} name that ends with a digest */
function sha256In(name) {
  return { sha256: name.slice(name.indexOf('sha256:') + 'sha256:'.length) };
}

/** @param {string} file */
function digestOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** @param {string} folder */
function digestsIn(folder) {
  return readdirSync(folder)
    .filter((name) => !name.startsWith(SUMS))
    .sort()
    .map((name) => ({ name, sha256: digestOf(join(folder, name)) }));
}
