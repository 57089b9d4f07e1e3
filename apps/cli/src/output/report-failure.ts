import { GatehouseError } from '@gatehouse/client';
import { EXIT, Failure, isUnreachable } from '../failure.js';
import { printable } from './text.js';

/** Prints a failure, as JSON if the command was asked for JSON. @returns the exit code */
export function reportFailure(error: unknown, json: boolean): number {
  const { message, remedy, ...details } = factsOf(error);
  if (json) process.stderr.write(`${JSON.stringify({ error: { message, remedy, ...details } })}\n`);
  else {
    const { code, request_id, errors = [] } = details;
    const facts = [code, request_id && `request ${request_id}`].filter(Boolean).join(', ');
    const entries = errors.map(({ pointer, message: reason }) => `  ${pointer ?? ''} ${reason}`);
    const lines = [`Error: ${message}${facts && ` (${facts})`}`, ...entries, remedy].filter(
      Boolean,
    );
    process.stderr.write(`${printable(lines.join('\n'))}\n`);
  }
  if (error instanceof Failure) return error.exitCode;
  return isUnreachable(error) ? EXIT.UNREACHABLE : EXIT.REFUSED;
}

interface Facts {
  message: string;
  remedy?: string;
  status?: number;
  code?: string;
  request_id?: string;
  retry_after_seconds?: number;
  /** What is wrong with a schema or a form, place by place. */
  errors?: readonly FieldError[];
}

interface FieldError {
  pointer?: string;
  message: string;
}

function factsOf(error: unknown): Facts {
  if (error instanceof GatehouseError) {
    const { message, status, code, body } = error;
    return {
      message,
      remedy: remedyOf(error),
      status,
      code,
      request_id: error.requestId,
      retry_after_seconds: error.retryAfterSeconds,
      errors: (body as { errors?: FieldError[] } | undefined)?.errors,
    };
  }
  const { message, stack = message } = error as Error;
  // Others are bugs.
  return { message: error instanceof Failure ? message : stack };
}

function remedyOf(error: GatehouseError): string | undefined {
  const { status, retryAfterSeconds } = error;
  if (status === 401) return 'Check the key: gatehouse login, or GATEHOUSE_KEY.';
  if (status === 403) return 'The key needs another control scope: see docs/key-service.md.';
  if (retryAfterSeconds !== undefined) return `Try again in ${retryAfterSeconds} s.`;
  return isUnreachable(error) ? 'Check the address, and whether Gatehouse runs.' : undefined;
}
