/** What a service says about a form that it refuses. */
import { GatehouseError } from '@gatehouse/client';
import { type Html, markup } from '@gatehouse/pages';

const REFUSED: ReadonlySet<number> = new Set([400, 409, 412, 422]);

/** The message of a service that refused a form. @throws the error if it is another one */
export function refusalOf(error: unknown): string {
  if (error instanceof GatehouseError && REFUSED.has(error.status)) return error.message;
  throw error;
}

/** Above the form that is shown again. */
export function refusal(message: string | undefined): Html | undefined {
  return message === undefined
    ? undefined
    : markup`<p class="faults" role="alert"><bdi translate="no">${message}</bdi></p>`;
}
