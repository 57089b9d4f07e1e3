/** docker-compose.yml and compose.small.yml with the default of every variable. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { workspace } from '#local-stack/layout.mjs';

export interface ComposeService {
  image?: string;
  stop_grace_period?: string;
  pull_policy?: string;
  build?: { context: string; dockerfile: string; secrets?: string[] };
  command?: string[];
  secrets?: string[];
  volumes?: string[];
  networks?: string[] | Record<string, { ipv4_address: string } | null>;
  ports?: string[];
  profiles?: string[];
  read_only?: boolean;
  mem_limit?: string;
  pids_limit?: number;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
}

interface ComposeFile {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
  networks: object;
  volumes: object;
}

export interface ComposeLayout {
  file: string;
  /** Argument of make-secrets.sh. */
  secretsOf: string[];
  text: string;
  /** With the default of every variable, as Compose reads it when none is set. */
  compose: ComposeFile;
  services: [string, ComposeService][];
}

export const split = readLayout('docker-compose.yml', []);
export const small = readLayout('compose.small.yml', ['small']);

function readLayout(file: string, secretsOf: string[]): ComposeLayout {
  const text = readFileSync(join(workspace, file), 'utf8');
  const withDefaults = text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
  const compose = parse(withDefaults, { merge: true }) as ComposeFile;
  return { file, secretsOf, text, compose, services: Object.entries(compose.services) };
}
