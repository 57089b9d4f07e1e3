/** The data of one tenant in each service. Its texts contain its marker, and no other tenant's do. */
import { randomBytes } from 'node:crypto';
import { eventually } from '@gatehouse/testing';
import { ADMIN_KEY, type HttpService, type WholeStack } from './whole-stack.js';

const MANAGEMENT = '/api/v1/dsync';
const KEYS = '/v2alpha1/admin';

interface Identified {
  id: string;
}

interface Call {
  json?: unknown;
  headers?: Record<string, string>;
  authorization?: string;
}

interface Received<Body> {
  headers: Headers;
  body: Body;
}

export interface Derived {
  token: { token: string };
}

type Enveloped = Record<'data', Identified>;

export interface Directory {
  id: string;
  secret: string;
}

export interface Flow {
  id: string;
  address: string;
  cookie: string;
  token: string;
}

export class Tenant {
  readonly marker: string;
  /** Its users are provisioned by SCIM; `managed` is changed by administrators. */
  directory!: Directory;
  managed!: Directory;
  workspace!: Directory;
  userId = '';
  groupId = '';
  runId = '';
  requestId = '';
  eventId = '';
  endpointId = '';
  key!: { id: string; secret: string };
  imported!: { id: string; secret: string };
  keyEventId = '';
  keyEndpointId = '';
  tokens: string[] = [];
  schemaId: string;
  identityId = '';
  formsEventId = '';
  formsEndpointId = '';
  flow!: Flow;
  doneAddress = '';
  private serial = 0;

  constructor(
    readonly stack: WholeStack,
    readonly name: string,
  ) {
    this.marker = `${name}-${randomBytes(6).toString('hex')}`;
    this.schemaId = this.marker;
  }

  fresh(): string {
    this.serial += 1;
    return `${this.marker}-${this.serial}`;
  }

  secrets(): string[] {
    const { directory, managed, key, imported, flow, tokens } = this;
    const owned = [directory.secret, managed.secret, key.secret, imported.secret];
    return [...owned, ...tokens, flow.cookie.split('=').at(-1) ?? '', flow.token];
  }

  /** @throws when the answer is an error */
  async call<Body>(
    app: HttpService,
    method: string,
    path: string,
    more: Call = {},
  ): Promise<Received<Body>> {
    const { json, headers = {}, authorization = `Bearer ${ADMIN_KEY}` } = more;
    const response = await fetch(this.stack.services[app].url + path, {
      method,
      redirect: 'manual',
      headers: {
        authorization,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? undefined : JSON.stringify(json),
    });
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    const body = (isJson && text !== '' ? JSON.parse(text) : undefined) as Body;
    return { headers: response.headers, body };
  }

  async open(): Promise<void> {
    await this.openDirectories();
    await this.openKeys();
    await this.openForms();
    await this.findRecords();
  }

  async newDirectory(more: object = {}): Promise<Directory> {
    const json = { tenant: this.marker, product: this.name, name: this.fresh(), ...more };
    const { body } = await this.call<{ data: Identified & { scim: { secret: string } } }>(
      'dsync-api',
      'POST',
      MANAGEMENT,
      { json },
    );
    return { id: body.data.id, secret: body.data.scim.secret };
  }

  scim(method: string, path: string, json?: unknown): Promise<Received<Identified>> {
    const { id, secret } = this.directory;
    return this.call('dsync-api', method, `/api/scim/v2.0/${id}${path}`, {
      json,
      authorization: `Bearer ${secret}`,
      headers: json === undefined ? {} : { 'content-type': 'application/scim+json' },
    });
  }

  user(): object {
    const userName = `${this.fresh()}@example.com`;
    const emails = [{ value: userName, type: 'work', primary: true }];
    const name = { givenName: this.marker, familyName: 'Lovelace' };
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
    return { schemas, userName, emails, name, title: this.marker, active: true };
  }

  async newUser(): Promise<string> {
    return (await this.scim('POST', '/Users', this.user())).body.id;
  }

  async newGroup(): Promise<string> {
    const members = this.userId ? [{ value: this.userId }] : [];
    const json = { displayName: this.fresh(), members };
    return (await this.scim('POST', '/Groups', json)).body.id;
  }

  async newEndpoint(): Promise<string> {
    const path = `${MANAGEMENT}/${this.managed.id}/webhook-endpoints`;
    const json = { url: `${this.stack.receiver.url}/${this.marker}/more` };
    return (await this.call<Enveloped>('dsync-api', 'POST', path, { json })).body.data.id;
  }

  async newKey(): Promise<{ id: string; secret: string }> {
    const json = {
      name: this.fresh(),
      actor_id: this.marker,
      scopes: ['orders:read'],
      metadata: { team: this.marker },
    };
    const { body } = await this.call<{ secret: string; issued_api_key: { key_id: string } }>(
      'key-service',
      'POST',
      `${KEYS}/issuedApiKeys`,
      { json },
    );
    return { id: body.issued_api_key.key_id, secret: body.secret };
  }

  async newImported(): Promise<{ id: string; secret: string }> {
    const secret = `${this.fresh()}-${randomBytes(8).toString('hex')}`;
    const json = { raw_key: secret, name: this.fresh(), actor_id: this.marker };
    const path = `${KEYS}/importedApiKeys`;
    const { body } = await this.call<{ key_id: string }>('key-service', 'POST', path, { json });
    return { id: body.key_id, secret };
  }

  async newKeyEndpoint(): Promise<string> {
    const json = { url: `${this.stack.receiver.url}/${this.marker}/keys` };
    const path = `${KEYS}/webhook-endpoints`;
    return (await this.call<Identified>('key-service', 'POST', path, { json })).body.id;
  }

  async newFormsEndpoint(): Promise<string> {
    const json = { url: `${this.stack.receiver.url}/${this.marker}/forms` };
    const path = '/v1/webhook-endpoints';
    return (await this.call<Identified>('identity-forms', 'POST', path, { json })).body.id;
  }

  async newIdentity(): Promise<string> {
    const traits = { email: `${this.fresh()}@example.com`, age: 42 };
    const json = { schema_id: this.schemaId, traits };
    return (await this.call<Identified>('identity-forms', 'POST', '/v1/identities', { json })).body
      .id;
  }

  async newFlow(isOpened = true): Promise<Flow> {
    const json = { kind: 'sign-up', schema_id: this.schemaId };
    const { body } = await this.call<Identified & { url: string }>(
      'identity-forms',
      'POST',
      '/v1/flows',
      { json },
    );
    const address = new URL(body.url).pathname.slice('/flows/'.length);
    const flow = { id: body.id, address, cookie: '', token: '' };
    if (!isOpened) return flow;
    const headers = { accept: 'application/json' };
    const page = await this.call<{ csrf_token: string }>(
      'identity-forms',
      'GET',
      `/flows/${address}`,
      { headers },
    );
    const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { ...flow, cookie, token: page.body.csrf_token };
  }

  async holdRun(): Promise<void> {
    // Only one run of a directory may be unfinished.
    await this.stack.database.query(
      `WITH others AS (
         DELETE FROM dsync.workspace_runs WHERE directory_id = $2 AND id <> $1
       )
       UPDATE dsync.workspace_runs SET state = 'held' WHERE id = $1`,
      [this.runId, this.workspace.id],
    );
  }

  private async openDirectories(): Promise<void> {
    const webhook = {
      webhook_url: `${this.stack.receiver.url}/${this.marker}`,
      webhook_secret: `webhook-secret-of-${this.marker}`,
    };
    this.directory = await this.newDirectory(webhook);
    this.managed = await this.newDirectory(webhook);
    this.workspace = await this.newDirectory({ type: 'workspace' });
    this.userId = await this.newUser();
    this.groupId = await this.newGroup();
    this.endpointId = await this.newEndpoint();
    const sync = `${MANAGEMENT}/${this.workspace.id}/sync`;
    this.runId = (await this.call<Enveloped>('dsync-api', 'POST', sync)).body.data.id;
  }

  private async openKeys(): Promise<void> {
    this.keyEndpointId = await this.newKeyEndpoint();
    this.key = await this.newKey();
    this.imported = await this.newImported();
    for (const algorithm of ['TOKEN_ALGORITHM_JWT', 'TOKEN_ALGORITHM_MACAROON']) {
      const json = { credential: this.key.secret, algorithm };
      const path = `${KEYS}/apiKeys:derive`;
      const { body } = await this.call<Derived>('key-service', 'POST', path, { json });
      this.tokens.push(body.token.token);
    }
  }

  private async openForms(): Promise<void> {
    const properties = {
      email: { type: 'string', format: 'email', 'x-identifier': true, title: this.marker },
      age: { type: 'integer', minimum: 18 },
      newsletter: { type: 'boolean' },
      name: { type: 'object', properties: { first: { type: 'string' } } },
      tags: { type: 'array', items: { type: 'string' } },
      kind: { enum: ['a', 'b'] },
    };
    const traits = { type: 'object', required: ['email'], properties };
    const schema = { type: 'object', properties: { traits } };
    const json = { id: this.schemaId, schema, public: true };
    await this.call('identity-forms', 'POST', '/v1/schemas', { json });
    this.formsEndpointId = await this.newFormsEndpoint();
    this.identityId = await this.newIdentity();
    const done = await this.newFlow();
    await this.call('identity-forms', 'POST', `/flows/${done.address}`, {
      json: { csrf_token: done.token, traits: { email: `${this.fresh()}@example.com` } },
      headers: { cookie: done.cookie, accept: 'application/json' },
    });
    this.doneAddress = done.address;
    this.flow = await this.newFlow();
  }

  private async findRecords(): Promise<void> {
    const first = (app: HttpService, path: string) =>
      eventually(async () => {
        const { body } = await this.call<object>(app, 'GET', path);
        const [event] = (Object.values(body).find(Array.isArray) ?? []) as Partial<
          Record<'id' | 'event_id', string>
        >[];
        if (!event) throw new Error(`${path} is empty`);
        return event.id ?? event.event_id ?? '';
      });
    const { id } = this.directory;
    this.eventId = await first('dsync-api', `${MANAGEMENT}/events?directoryId=${id}`);
    this.requestId = await first('dsync-api', `${MANAGEMENT}/${id}/requests`);
    this.keyEventId = await first('key-service', `${KEYS}/events`);
    this.formsEventId = await first('identity-forms', '/v1/events');
  }
}
