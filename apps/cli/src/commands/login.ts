/** `login`, `logout`, `profiles`. A key is read from the terminal or from stdin, and is never an argument. */
import { GatehouseError } from '@gatehouse/client';
import { type Command } from 'commander';
import { EXIT, Failure } from '../failure.js';
import { Output } from '../output/output.js';
import { ask, askSecretly, readStdin } from '../output/prompt.js';
import {
  DEFAULT_PROFILE,
  type Profile,
  readProfiles,
  removeProfile,
  saveProfile,
} from '../profiles/profiles.js';
import { gatehouseAt, type GlobalOptions } from '../session.js';

interface LoginOptions {
  readonly url?: string;
  readonly withKey?: boolean;
}

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('Save an address and a key as a profile')
    .option('--url <url>', 'the admin surface, such as https://gatehouse.internal:8089')
    .option('--with-key', 'read the key from stdin')
    .action(async (options: LoginOptions, command: Command) => login(options, nameOf(command)));
  program
    .command('logout')
    .description('Remove a profile')
    .action((_options, command: Command) => logout(nameOf(command)));
  program
    .command('profiles')
    .description('List the profiles')
    .action((_options, command: Command) => listProfiles(command));
}

function nameOf(command: Command): string {
  return command.optsWithGlobals<GlobalOptions>().profile ?? DEFAULT_PROFILE;
}

async function login({ url, withKey = false }: LoginOptions, name: string): Promise<void> {
  const fromTerminal = process.stdin.isTTY && !withKey;
  if (url === undefined && !fromTerminal) throw new Failure('Pass --url.', EXIT.USAGE);
  const profile: Profile = {
    url: addressOf(url ?? (await ask('Address of the admin surface: '))),
    key: (fromTerminal ? await askSecretly('Key: ') : await readStdin()).trim(),
  };
  if (profile.key === '') throw new Failure('The key is empty.', EXIT.USAGE);
  await check(profile);
  saveProfile(name, profile);
  process.stderr.write(`The profile "${name}" for ${profile.url} is saved.\n`);
}

function addressOf(text: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href.replace(/\/+$/, '');
  throw new Failure('The address must begin with http:// or https://.', EXIT.USAGE);
}

/** A key that may not list keys is a key, too. @throws GatehouseError */
async function check(profile: Profile): Promise<void> {
  try {
    await gatehouseAt(profile).keys.list({ page_size: 1 });
  } catch (error) {
    if (error instanceof GatehouseError && error.status === 403) return;
    throw error;
  }
}

function logout(name: string): void {
  if (!removeProfile(name)) throw new Failure(`There is no profile "${name}".`);
  process.stderr.write(
    `The profile "${name}" is removed. Its key still works: revoke it if it is not needed.\n`,
  );
}

async function listProfiles(command: Command): Promise<void> {
  const output = new Output(command.optsWithGlobals<GlobalOptions>().json ?? false);
  const profiles = Object.entries(readProfiles()).map(([name, { url }]) => ({ name, url }));
  const columns = [
    { title: 'Name', value: ({ name }: { name: string }) => name },
    { title: 'Address', value: ({ url }: { url: string }) => url },
  ];
  await output.list(profiles, columns, { noun: 'profile' });
}
