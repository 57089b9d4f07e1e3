// @ts-check
import { parseArgs } from 'node:util';
import { HelpRequested, StackFault, reasonOf } from './fault.mjs';

/** @typedef {import('node:util').ParseArgsConfig['options']} OptionTable */

/**
 * Reads the command line strictly: anything that the command does not know is a fault with the usage.
 * `--help` prints the usage, and is no fault.
 * @template {NonNullable<OptionTable>} T
 * @param {string[]} args
 * @param {T} options
 * @param {{ usage: string, positionals?: number }} command
 */
export function readOptions(args, options, { usage, positionals = 0 }) {
  if (args.includes('--help') || args.includes('-h')) throw new HelpRequested(usage);
  try {
    const parsed = parseArgs({ args, options, strict: true, allowPositionals: true });
    const extra = parsed.positionals[positionals];
    if (extra !== undefined) throw new Error(`"${extra}" is not understood`);
    return parsed;
  } catch (error) {
    // Node appends advice about arguments that begin with a dash, which does not apply here.
    const [reason = ''] = reasonOf(error).split('. To specify a positional argument');
    const swallowed = 'npm keeps options for itself unless they come after --';
    throw new StackFault(reason, `Usage: ${usage}\n${swallowed}`, 2);
  }
}

/**
 * @param {string} flag
 * @param {string} text
 * @param {number} least
 * @returns {number}
 */
export function wholeNumber(flag, text, least) {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new StackFault(`${flag} takes a whole number from ${least}, not "${text}"`, undefined, 2);
}

/**
 * @param {string} variable
 * @param {string[]} protocols such as `redis:`
 * @returns {string | undefined} the address in the environment, checked for its form
 */
export function addressFromEnvironment(variable, protocols) {
  const address = process.env[variable];
  if (address === undefined || address === '') return undefined;
  const protocol = URL.canParse(address) ? new URL(address).protocol : '';
  if (protocols.includes(protocol)) return address;
  // Not repeated: it may hold a password.
  throw new StackFault(
    `${variable} is not an address that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`,
    `Correct it, or unset it: unset ${variable}`,
  );
}
