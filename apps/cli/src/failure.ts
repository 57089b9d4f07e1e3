/** Failures of commands. Every message says what is wrong, and what to do. */
import { GatehouseError } from '@gatehouse/client';

/** Exit codes, as docs/command-line.md lists them. */
export const EXIT = { REFUSED: 1, USAGE: 2, UNREACHABLE: 3, DIFFERENT: 4 } as const;

export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    message: string,
    readonly exitCode: number = EXIT.REFUSED,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A gateway answers these while Gatehouse is away, and the client throws 503 for no answer. */
const UNREACHABLE = [502, 503, 504];

export function isUnreachable(error: unknown): error is GatehouseError {
  return error instanceof GatehouseError && UNREACHABLE.includes(error.status);
}

export function isNotFound(error: unknown): boolean {
  return error instanceof GatehouseError && error.status === 404;
}
