/** Profiles: where an installation of Gatehouse is, and the key for it, by a name. */
import { join } from 'node:path';
import { configFolder, environment } from '../environment.js';
import { EXIT, Failure } from '../failure.js';
import { without } from '../without.js';
import { readPrivate, writePrivate } from './private-file.js';

export interface Profile {
  readonly url: string;
  readonly key: string;
}

export const DEFAULT_PROFILE = 'default';

const path = () => join(configFolder(), 'profiles.json');

/** @throws Failure if others may read the file, or if it is damaged */
export function readProfiles(): Record<string, Profile> {
  const text = readPrivate(path());
  if (text === undefined) return {};
  try {
    return JSON.parse(text) as Record<string, Profile>;
  } catch {
    throw new Failure(`${path()} is damaged. Remove it, then run gatehouse login again.`);
  }
}

export function saveProfile(name: string, profile: Profile): void {
  writeProfiles({ ...readProfiles(), [name]: profile });
}

/** @returns false if there is no such profile */
export function removeProfile(name: string): boolean {
  const profiles = readProfiles();
  if (!Object.hasOwn(profiles, name)) return false;
  writeProfiles(without(profiles, name));
  return true;
}

/**
 * The installation to talk to: the profile that the command line names, else GATEHOUSE_URL and GATEHOUSE_KEY,
 * else the default profile. A key is only sent to the address that it came with.
 *
 * @throws Failure that says what is missing
 */
export function chosenProfile(name: string | undefined): Profile {
  if (name !== undefined) return profileOf(name);
  const [url, key] = [environment('GATEHOUSE_URL'), environment('GATEHOUSE_KEY')];
  if (url !== undefined && key !== undefined) return { url, key };
  if (url !== undefined || key !== undefined) {
    const [set, unset] = url
      ? ['GATEHOUSE_URL', 'GATEHOUSE_KEY']
      : ['GATEHOUSE_KEY', 'GATEHOUSE_URL'];
    throw new Failure(`${set} is set, and ${unset} is not. Set both, or neither.`, EXIT.USAGE);
  }
  return profileOf(environment('GATEHOUSE_PROFILE') ?? DEFAULT_PROFILE);
}

function profileOf(name: string): Profile {
  const profiles = readProfiles();
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const flag = name === DEFAULT_PROFILE ? '' : ` --profile ${name}`;
  throw new Failure(
    `There is no profile "${name}". Run gatehouse login${flag}, or set GATEHOUSE_URL and GATEHOUSE_KEY.`,
    EXIT.USAGE,
  );
}

function writeProfiles(profiles: Record<string, Profile>): void {
  writePrivate(path(), `${JSON.stringify(profiles, null, 2)}\n`);
}
