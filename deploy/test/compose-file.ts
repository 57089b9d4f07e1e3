/** docker-compose.yml with the default of every variable. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { workspace } from '#local-stack/layout.mjs';

export interface ComposeService {
  image?: string;
  stop_grace_period?: string;
  pull_policy?: string;
  build?: { context: string; dockerfile: string; target: string; secrets?: string[] };
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

export const composeText = readFileSync(join(workspace, 'docker-compose.yml'), 'utf8');
/** With the default of every variable, as Compose reads it when none is set. */
const withDefaults = composeText.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
export const compose = parse(withDefaults, { merge: true }) as ComposeFile;
export const services = Object.entries(compose.services);
