/** An HTTP server on loopback that plays a provider, and fails when a test asks for it. */
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface FakeRequest {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  /** The body as it arrived, and parsed as a form. */
  text: string;
  form: URLSearchParams;
}

export interface FakeAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: object;
}

/** Instead of the right answer: a refusal, a changed body, or a closed connection. */
export type FakeFault = FakeAnswer | ((body: Record<string, unknown>) => object) | 'hang-up';

type Answer = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;

interface PlannedFault {
  path: string;
  fault: FakeFault;
  left: number;
}

export class FakeServer {
  /** Paths with their queries, in the order of arrival. */
  readonly requests: string[] = [];
  /** Is called before each request is answered, so that a test can change what is listed meanwhile. */
  beforeAnswer: (request: FakeRequest) => void | Promise<void> = () => undefined;
  private readonly faults: PlannedFault[] = [];
  private readonly server;

  constructor(answer: Answer) {
    this.server = createServer((incoming, response) => {
      void this.respond(incoming, answer).then((answered) => {
        if (answered === 'hang-up') return incoming.socket.destroy();
        const { status = 200, headers, body } = answered;
        response.writeHead(status, {
          'content-type': 'application/json; charset=UTF-8',
          ...headers,
        });
        return response.end(body === undefined ? '' : JSON.stringify(body));
      });
    });
  }

  /** The next requests whose path and query contain `path` fail. */
  fail(path: string, fault: FakeFault, times = 1): void {
    this.faults.push({ path, fault, left: times });
  }

  requestsOf(path: string): string[] {
    return this.requests.filter((request) => request.includes(path));
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async respond(
    incoming: IncomingMessage,
    answer: Answer,
  ): Promise<FakeAnswer | 'hang-up'> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const path = incoming.url ?? '/';
    this.requests.push(path);
    const text = Buffer.concat(chunks).toString('utf8');
    const request = {
      method: incoming.method ?? '',
      url: new URL(path, 'http://fake'),
      headers: incoming.headers,
      text,
      form: new URLSearchParams(text),
    };
    await this.beforeAnswer(request);
    const fault = this.faultOf(path);
    if (fault !== undefined && typeof fault !== 'function') return fault;
    const right = await answer(request);
    return fault ? { ...right, body: fault({ ...right.body }) } : right;
  }

  private faultOf(path: string): FakeFault | undefined {
    const planned = this.faults.find(({ path: part, left }) => left > 0 && path.includes(part));
    if (planned) planned.left -= 1;
    return planned?.fault;
  }
}
