import { createGatehouse, type Gatehouse } from '@gatehouse/client';
import { type Command } from 'commander';
import { EXIT, Failure } from './failure.js';
import { httpFetch } from './http-fetch.js';
import { Output } from './output/output.js';
import { chosenProfile, type Profile } from './profiles/profiles.js';

/** What a command works with: an installation, and where it prints. */
export interface Session {
  readonly gatehouse: Gatehouse;
  readonly output: Output;
}

/** Options of every command. */
export interface GlobalOptions {
  readonly profile?: string;
  readonly json?: boolean;
}

/** The action of a command: opens its session, and passes on its arguments and options. */
export function withSession<Given extends unknown[]>(
  work: (session: Session, ...given: Given) => Promise<void>,
): (...args: [...Given, Command]) => Promise<void> {
  return async (...args) => {
    const given = args.slice(0, -1) as Given;
    await work(openSession(args.at(-1) as Command), ...given);
  };
}

/** @throws Failure without an address and a key */
export function openSession(command: Command): Session {
  const { profile, json = false } = command.optsWithGlobals<GlobalOptions>();
  return { gatehouse: gatehouseAt(chosenProfile(profile)), output: new Output(json) };
}

/** @throws Failure if the address or the key is malformed */
export function gatehouseAt(profile: Profile): Gatehouse {
  try {
    return createGatehouse({ ...profile, fetch: httpFetch });
  } catch (error) {
    throw new Failure((error as Error).message, EXIT.USAGE, { cause: error });
  }
}
