/** What people and programs do at a gate. */
import { randomUUID } from 'node:crypto';
import { type Answer, eventually, type FakeGoogle, type Json } from '@gatehouse/testing';
import { ADMIN_KEY, type Gate } from './gate.js';

const SCIM_TYPE = 'application/scim+json';

/** @throws when the answer is an error */
async function answered(asked: Promise<Answer>): Promise<Json> {
  const { status, text, body } = await asked;
  if (status >= 400) throw new Error(`${status} ${text}`);
  return body;
}

/** The calls of an administrator. */
export class Administrator {
  constructor(
    private readonly gate: Gate,
    private readonly key = ADMIN_KEY,
  ) {}

  ask(method: string, path: string, json?: unknown): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.key}` };
    return this.gate.adminSurface.send(method, path, { headers, json });
  }

  async issue(fields: object = {}): Promise<{ id: string; secret: string }> {
    const json = { name: 'Key', actor_id: 'alice', ...fields };
    const { secret, issued_api_key: key } = await answered(
      this.ask('POST', '/v2alpha1/admin/issuedApiKeys', json),
    );
    return { id: key.key_id, secret };
  }

  verify(credential: string): Promise<Json> {
    return answered(this.ask('POST', '/v2alpha1/admin/apiKeys:verify', { credential }));
  }

  async derive(credential: string): Promise<string> {
    const path = '/v2alpha1/admin/apiKeys:derive';
    return (await answered(this.ask('POST', path, { credential }))).token.token;
  }

  revoke(id: string): Promise<Json> {
    const json = { reason: 'REVOCATION_REASON_SUPERSEDED' };
    return answered(this.ask('POST', `/v2alpha1/admin/issuedApiKeys/${id}:revoke`, json));
  }

  /** The address of a new portal session of an actor, on the public surface. */
  async portal(actorId: string): Promise<string> {
    const path = '/v2alpha1/admin/portalSessions';
    const { url } = await answered(this.ask('POST', path, { actor_id: actorId }));
    return pathOf(url);
  }

  /** The address of a new setup link, on the public surface. */
  async setupLink(): Promise<string> {
    const json = { tenant: `tenant-${randomUUID()}`, product: 'shop' };
    const { data } = await answered(this.ask('POST', '/api/v1/dsync/setup-links', json));
    return pathOf(data.url);
  }

  async newDirectory(webhookUrl: string, tenant = `tenant-${randomUUID()}`): Promise<Provider> {
    const json = {
      tenant,
      product: 'shop',
      webhook_url: webhookUrl,
      webhook_secret: 'a-webhook-secret-of-the-tests-01',
    };
    const { data } = await answered(this.ask('POST', '/api/v1/dsync', json));
    return new Provider(this.gate, data.scim);
  }

  /** Has the keys of people who leave the directories of a tenant paused; the ids of users are actors. */
  async linkKeys(tenant: string): Promise<void> {
    const link = { tenant, product: 'shop', attribute: 'id', on_deactivate: 'pause' };
    await answered(this.ask('PUT', '/api/v1/dsync/key-links', link));
  }

  /**
   * Creates a directory whose people come from Google Workspace.
   * @returns pulls them, and resolves to the state in which the run ends
   */
  async connectWorkspace(google: FakeGoogle): Promise<() => Promise<string>> {
    const json = {
      tenant: `tenant-${randomUUID()}`,
      product: 'shop',
      type: 'workspace',
      workspace_domain: 'example.com',
    };
    const { data: directory } = await answered(this.ask('POST', '/api/v1/dsync', json));
    const path = `/api/v1/dsync/${directory.id}`;
    const { data } = await answered(this.ask('GET', `${path}/workspace/authorization-url`));
    const consented = await google.consent(data.authorizationUrl);
    await answered(this.gate.publicSurface.send('GET', pathOf(consented)));
    return async () => {
      const { data: run } = await answered(this.ask('POST', `${path}/sync`));
      return eventually(async () => {
        const { data: found } = await answered(this.ask('GET', `${path}/runs/${run.id}`));
        if (!found.finished_at) throw new Error(`the run is ${found.state}`);
        return found.state;
      });
    };
  }

  async newSchema(id: string): Promise<void> {
    const email = { type: 'string', format: 'email', 'x-identifier': true };
    const traits = { type: 'object', required: ['email'], properties: { email } };
    const schema = { type: 'object', properties: { traits } };
    await answered(this.ask('POST', '/v1/schemas', { id, schema, public: true }));
  }
}

/** An identity provider with a directory. */
export class Provider {
  constructor(
    private readonly gate: Gate,
    readonly scim: { path: string; secret: string },
  ) {}

  /** The same directory at another gate. */
  at(gate: Gate): Provider {
    return new Provider(gate, this.scim);
  }

  async createUser(userName: string): Promise<string> {
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
    return (await this.send('POST', '/Users', { schemas, userName })).id;
  }

  async deactivate(id: string): Promise<void> {
    await this.send('PATCH', `/Users/${id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: false }],
    });
  }

  send(method: string, path: string, json: unknown): Promise<Json> {
    const headers = { authorization: `Bearer ${this.scim.secret}`, 'content-type': SCIM_TYPE };
    return answered(this.gate.publicSurface.send(method, this.scim.path + path, { headers, json }));
  }
}

/** Opens a portal session by its address. @returns the cookie of the session */
export async function enterPortal({ publicSurface }: Gate, address: string): Promise<string> {
  const { status, headers } = await publicSurface.send('POST', address);
  expect([status, headers.get('location')]).toEqual([303, '/portal/keys']);
  return cookieOf(headers);
}

/** Signs in to the console with a key. @returns the cookie of the session */
export async function enterConsole({ adminSurface }: Gate, key: string): Promise<string> {
  const { status, headers } = await adminSurface.send('POST', '/console/sign-in', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ key }).toString(),
  });
  expect([status, headers.get('location')]).toEqual([303, '/console/']);
  return cookieOf(headers);
}

/** Opens a setup link by its address. @returns the cookie of the session */
export async function enterSetup({ publicSurface }: Gate, address: string): Promise<string> {
  const { status, headers } = await publicSurface.send('POST', address);
  expect([status, headers.get('location')]).toEqual([303, '/setup/provider']);
  return cookieOf(headers);
}

/**
 * Opens the sign-up page of a schema, as a program that submits what a browser would.
 * @returns submits it with an email address, at the same gate or another
 */
export async function openSignUp(
  { publicSurface }: Gate,
  schema: string,
): Promise<(gate: Gate, email: string) => Promise<Json>> {
  const { headers } = await publicSurface.send('GET', `/sign-up?schema=${schema}`);
  const path = pathOf(headers.get('location') as string);
  const accept = 'application/json';
  const page = await publicSurface.send('GET', path, { headers: { accept } });
  const cookie = cookieOf(page.headers);
  return (gate, email) => {
    const json = { csrf_token: page.body.csrf_token, traits: { email } };
    return answered(gate.publicSurface.send('POST', path, { headers: { accept, cookie }, json }));
  };
}

/** The cookie that an answer sets, as requests send it. */
function cookieOf(headers: Answer['headers']): string {
  return (headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
}

/** The path of an address, without its origin, which no test server has. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address, 'http://gate');
  return pathname + search;
}
