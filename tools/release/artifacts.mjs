// @ts-check
/** The files of a release: packages, bill of materials, provenance, digests, signatures. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { billOfMaterials } from '../bundle/sbom.mjs';

export const SUMS = 'SHA256SUMS';

/**
 * Completes the packages in a folder.
 * @param {string} folder
 * @param {{ version: string, commit: string, source: string }} release
 */
export function describeRelease(folder, { version, commit, source }) {
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials());
  const subject = digestsIn(folder).map(({ name, sha256 }) => ({ name, digest: { sha256 } }));
  const provenance = {
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
        resolvedDependencies: [{ uri: `git+${source}`, digest: { gitCommit: commit } }],
      },
      runDetails: { builder: { id: `${source}#tools/release.mjs` } },
    },
  };
  writeFileSync(join(folder, 'provenance.json'), `${JSON.stringify(provenance, null, 2)}\n`);
  const lines = digestsIn(folder).map(({ name, sha256 }) => `${sha256}  ${name}\n`);
  writeFileSync(join(folder, SUMS), lines.join(''));
}

/**
 * Signs the digests, and with them every file.
 * @param {string} folder
 * @param {{ sshKey?: string, cosignKey?: string }} keys files; cosign also takes addresses of key stores
 * @returns {string[]} names of the signatures
 */
export function signRelease(folder, { sshKey, cosignKey }) {
  const sums = join(folder, SUMS);
  const signatures = [];
  if (sshKey) {
    execFileSync('ssh-keygen', ['-Y', 'sign', '-n', 'gatehouse', '-f', sshKey, sums], {
      stdio: 'ignore',
    });
    signatures.push(`${SUMS}.sig`);
  }
  if (cosignKey) {
    const bundle = `${SUMS}.cosign.bundle`;
    const args = ['sign-blob', '--yes', '--key', cosignKey, '--bundle', join(folder, bundle), sums];
    execFileSync('cosign', args, { stdio: 'inherit' });
    signatures.push(bundle);
  }
  return signatures;
}

/** @param {string} folder */
function digestsIn(folder) {
  return readdirSync(folder)
    .filter((name) => !name.startsWith(SUMS))
    .sort()
    .map((name) => {
      const content = readFileSync(join(folder, name));
      return { name, sha256: createHash('sha256').update(content).digest('hex') };
    });
}
