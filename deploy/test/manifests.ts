/** Manifests of Kubernetes as they are rendered, and the types of their APIs. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { workspace } from '#local-stack/layout.mjs';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests, checked as they are read
export type Any = any;

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: Any;
}

const folder = join(workspace, 'deploy', 'kubernetes');
export const base = join(folder, 'base');

/** The base, rendered by `kubectl kustomize`; without kubectl, its files as they are. */
export const documents: readonly Manifest[] = rendered('base') ?? filesOfBase();

/** An overlay as it is rendered; undefined without kubectl. */
export function overlay(name: string): Manifest[] | undefined {
  return rendered(join('overlays', name));
}

/** The documents of the base of these kinds. */
export function ofKind(...kinds: string[]): Manifest[] {
  return documents.filter(({ kind }) => kinds.includes(kind));
}

/** A Deployment of the base. */
export function deployment(name: string): Manifest {
  const found = ofKind('Deployment').find(({ metadata }) => metadata.name === name);
  assert.ok(found, `there is no Deployment ${name}`);
  return found;
}

function rendered(path: string): Manifest[] | undefined {
  const { status, stdout, stderr, error } = spawnSync(
    'kubectl',
    ['kustomize', join(folder, path)],
    {
      encoding: 'utf8',
    },
  );
  if (error !== undefined) return undefined;
  assert.equal(status, 0, stderr);
  return manifestsIn(stdout);
}

function filesOfBase(): Manifest[] {
  const files = readdirSync(base, { recursive: true, encoding: 'utf8' });
  const manifests = files.filter((name) => /\.yaml$/.test(name) && !/kustomization/.test(name));
  return manifests.flatMap((name) => manifestsIn(readFileSync(join(base, name), 'utf8')));
}

/** Where the API of a resource is described: Kubernetes itself, or one of the operators. */
export function moduleOf(document: Manifest): string {
  const [group = ''] = document.apiVersion.split('/');
  const own = OPERATORS[group];
  const version = describedVersion(document);
  return `${own ? `@kubernetes-models/${own}` : 'kubernetes-models'}/${version}/${document.kind}`;
}

const OPERATORS: Readonly<Record<string, string>> = {
  'keda.sh': 'keda',
  'monitoring.coreos.com': 'prometheus-operator',
  'gateway.networking.k8s.io': 'gateway-api',
  'external-secrets.io': 'external-secrets',
};

/** `v1` of External Secrets has the members of `v1beta1`, which is the newest that is described. */
export function describedVersion({ apiVersion }: Manifest): string {
  return apiVersion.replace('external-secrets.io/v1', 'external-secrets.io/v1beta1');
}

/** The documents of a YAML text. */
export function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text).map((each) => {
    assert.deepEqual(each.errors, []);
    return each.toJS() as Manifest;
  });
}

export function nameOf(document: Manifest): string {
  return `${document.kind} ${document.metadata.name}`;
}

/** Type-checks the documents as object literals of the API's types, which refuse unknown members. */
export function unknownMembers(manifests: readonly Manifest[]): string[] {
  const file = join(workspace, 'deploy', 'test', '.manifests.ts');
  const source = manifests
    .map((document, index) => {
      const { kind } = document;
      const described = { ...document, apiVersion: describedVersion(document) };
      return (
        `import type { I${kind} as Type${index} } from '${moduleOf(document)}';\n` +
        `export const manifest${index}: Type${index} = ${JSON.stringify(described)};\n`
      );
    })
    .join('');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  const readFile = host.readFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022, true)
      : getSourceFile(name, ...rest);
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? source : readFile(name));
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
