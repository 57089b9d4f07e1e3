/** Options that several commands have. */
import { type Command, InvalidArgumentError } from 'commander';
import { type ListOptions } from '../output/output.js';

/** Options of lists. */
export interface Limited {
  readonly limit: number;
  readonly all?: boolean;
}

const LIMIT = 50;

export function limited(command: Command): Command {
  return command
    .option('--limit <count>', 'how many to get', wholeNumber, LIMIT)
    .option('--all', 'get all');
}

export function listOptions(noun: string, { limit, all }: Limited): ListOptions {
  return { noun, limit: all ? undefined : limit };
}

/** How many a page should have: no more than are shown, and one by which it is known that there are more. */
export function pageSize({ limit, all }: Limited): number {
  return all ? 1_000 : Math.min(limit + 1, 1_000);
}

/** Of an option that is repeated, or has several values with commas between them. */
export function listed(value: string, former: readonly string[] = []): string[] {
  return [...former, ...value.split(',').filter(Boolean)];
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}
