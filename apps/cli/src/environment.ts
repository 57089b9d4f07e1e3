/** The environment, which is read here alone. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** @returns undefined if the variable is unset or empty */
export function environment(name: string): string | undefined {
  return process.env[name] || undefined;
}

/** Where the command line keeps its files. */
export function configFolder(): string {
  return join(environment('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'gatehouse');
}
