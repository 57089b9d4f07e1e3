/** A webhook that must be refused. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';

  constructor(
    /** The status to respond with: 400 not JSON, 401 not signed, 413 too large. */
    readonly status: 400 | 401 | 413,
    message: string,
  ) {
    super(message);
  }
}
