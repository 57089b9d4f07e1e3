import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { workspace } from '#local-stack/layout.mjs';
import { type Answer, type Send } from '../provider-traffic.js';

export const POLIS_API_KEY = 'key-of-the-polis-api';
const SERVER = join(workspace, 'libs', 'import', 'test', 'real-polis', 'server.mjs');

export interface PolisConnection {
  id: string;
  scim: { secret: string };
}

/** A running Polis on a database of its own. */
export class RealPolis {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(folder: string, databaseUrl: string, encryptionKey: string) {
    const env = {
      PATH: process.env['PATH'],
      DB_URL: databaseUrl,
      API_KEY: POLIS_API_KEY,
      ...(encryptionKey === '' ? {} : { DB_ENCRYPTION_KEY: encryptionKey }),
    };
    const child = spawn(process.execPath, [SERVER, folder], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'] as const,
    });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('Polis has ended')));
    const lines = createInterface({ input: child.stdout });
    const [port] = (await Promise.race([once(lines, 'line'), ended])) as [string];
    ended.catch(() => undefined);
    return new RealPolis(`http://127.0.0.1:${port}`, child);
  }

  async create(tenant: string, type: string): Promise<PolisConnection> {
    const body = {
      tenant,
      product: 'shop',
      type,
      webhook_url: 'http://127.0.0.1:9/hooks',
      webhook_secret: 'secret of Polis',
    };
    const { data } = await this.call('POST', '/api/v1/dsync', `Api-Key ${POLIS_API_KEY}`, body);
    return (data as unknown as { data: PolisConnection }).data;
  }

  /** Sends requests of the provider of a directory. */
  provider({ id, scim }: PolisConnection): Send {
    return (method, path, body) =>
      this.call(method, `/api/scim/v2.0/${id}${path}`, `Bearer ${scim.secret}`, body);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill();
    await ended;
  }

  private async call(
    method: string,
    path: string,
    authorization: string,
    body?: unknown,
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, data: JSON.parse(text || 'null') as Answer['data'] };
  }
}
