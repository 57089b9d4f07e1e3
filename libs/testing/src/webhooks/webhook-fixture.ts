import { verifyStandardWebhook } from '@gatehouse/crypto';
import { type Answer, type Json } from '../answer.js';
import { startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.js';

/** One service, as the tests of its webhook administration use it. */
export interface WebhookService {
  /** Sends a request of an administrator; paths are below the base path of the API. */
  send(method: string, path: string, json?: unknown): Promise<Answer>;
  /** The path in front of `webhook-endpoints` and `events/replay`; '' if there is one source. */
  source: string;
  /** Takes the data out of the envelope of the service. */
  dataOf(body: Json): Json;
  /** The code of a refusal. */
  codeOf(answer: Answer): string | undefined;
  /** The fields that a 400 names. */
  fieldsOf(answer: Answer): string[];
  /** Two event types: that of `change` and that of `changeAgain`. */
  types: readonly [string, string];
  /** Logs an event, and returns the id of what it is about. */
  change(): Promise<string>;
  /** Logs another event about the same. */
  changeAgain(id: string): Promise<unknown>;
  /** The id of what an event is about. */
  subjectOf(event: Json): string;
  /** The events after one, oldest first. */
  eventsAfter(id: string): Promise<Json[]>;
  /** The newest audit events, newest first. */
  audited(count: number): Promise<Json[]>;
  /** The rows of the endpoints, as JSON. */
  stored(): Promise<string>;
  /** How many endpoints may be added. */
  endpointsMax: number;
}

export const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

export const ENDPOINT_HEADERS = {
  Authorization: 'Bearer the-token-of-the-receiver',
  'X-Team': 'checkout',
};

/** A receiver for each test, and the endpoints that a test adds, which end with it. */
export class WebhookFixture {
  service!: WebhookService;
  receiver!: WebhookReceiver;

  get path(): string {
    return `${this.service.source}/webhook-endpoints`;
  }

  async get(path: string): Promise<Json> {
    return this.service.dataOf((await this.service.send('GET', path)).body);
  }

  async post(path: string, json?: unknown): Promise<Json> {
    return this.service.dataOf((await this.service.send('POST', path, json)).body);
  }

  async patch(path: string, json: unknown): Promise<Json> {
    return this.service.dataOf((await this.service.send('PATCH', path, json)).body);
  }

  /** Adds an endpoint for the receiver. */
  async create(members: object = {}) {
    const answer = await this.service.send('POST', this.path, {
      url: this.receiver.url,
      ...members,
    });
    if (answer.status !== 201) throw new Error(answer.text);
    const { secret, ...endpoint } = this.service.dataOf(answer.body);
    const id = endpoint.id as string;
    return { answer, endpoint, secret: secret as string, id, path: `${this.path}/${id}` };
  }

  /** The events that the receiver got. */
  events(path?: string): Json[] {
    return this.receiver.received
      .filter((each) => path === undefined || each.path === path)
      .map(({ body }) => JSON.parse(body))
      .filter(({ event }) => event !== 'webhook.ping');
  }

  isSignedBy(secret: string, index = 0): boolean {
    const { headers, body } = this.receiver.received[index] ?? { headers: {}, body: '' };
    return verifyStandardWebhook({ headers, body, secrets: [secret] });
  }

  async lastEventId(): Promise<string> {
    return ((await this.service.eventsAfter('')).at(-1)?.id ?? '') as string;
  }
}

/** @param service the one under test, once its own `beforeAll` has run */
export function useWebhookFixture(service: () => WebhookService): WebhookFixture {
  const fixture = new WebhookFixture();
  beforeEach(async () => {
    fixture.service = service();
    fixture.receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    await fixture.receiver.close();
    const { webhook_endpoints: endpoints } = await fixture.get(fixture.path);
    for (const { id } of endpoints) await fixture.service.send('DELETE', `${fixture.path}/${id}`);
  });
  return fixture;
}
