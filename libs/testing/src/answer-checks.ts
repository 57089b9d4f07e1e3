import { ApiDescription } from './api-description.js';
import { type Answer } from './answer.js';
import { checkEventsIn } from './events.js';
import { type SecretRecorder } from './secret-recorder.js';

export interface SentRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  /** The JSON value or the body that was sent. */
  content: unknown;
}

/**
 * Checks every answer against the service's own /openapi.json, its events against their catalog, and
 * records its secrets.
 */
export class AnswerChecks {
  private description: Promise<ApiDescription> | undefined;

  /**
   * @param undescribed paths whose answers the description leaves open
   * @param defaultFrom the lowest status that a `default` response describes
   */
  constructor(
    private readonly secrets: SecretRecorder,
    private readonly undescribed?: RegExp,
    private readonly defaultFrom?: number,
  ) {}

  /** @throws when the answer has a status, media type or body that is not described */
  async check(url: string, request: SentRequest, answer: Answer): Promise<void> {
    this.secrets.addHeaders(request.headers);
    this.secrets.addMembers(request.content);
    this.secrets.addMembers(answer.body);
    checkEventsIn(answer.body);
    if (this.undescribed?.test(request.path)) return;
    this.description ??= ApiDescription.of(url, this.defaultFrom).catch((error: unknown) => {
      this.description = undefined;
      throw error;
    });
    (await this.description).check(request.method, request.path, answer);
  }
}
