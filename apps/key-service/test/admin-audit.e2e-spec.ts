/** The audit logs of the three services: refused calls, the addresses of clients, and no changes. */
import { type Answer, eventually } from '@gatehouse/testing';
import {
  ACTOR,
  GUARDED_APPS,
  type GuardedApp,
  type GuardedServices,
  openGuardedServices,
  PREFIXES,
  READ_PATHS,
  REMOTE_APPS,
  STATIC_KEYS,
} from './guarded-services.js';
import { bearer } from './key-stack.js';

const AUDIT_PATHS: Readonly<Record<GuardedApp, string>> = {
  'key-service': '/v2alpha1/admin/auditEvents?filter=type=admin.denied',
  'dsync-api': '/api/v1/dsync/audit-events?type=admin.denied',
  'identity-forms': '/v1/audit-events?type=admin.denied',
};
const SCHEMA = {
  type: 'object',
  properties: { traits: { type: 'object', properties: { name: { type: 'string' } } } },
};
const ROUTES: Readonly<Record<GuardedApp, string>> = {
  'key-service': '/v2alpha1/admin/issuedApiKeys',
  'dsync-api': '/api/v1/dsync',
  'identity-forms': '/v1/identities',
};

let guarded: GuardedServices;
beforeAll(async () => {
  guarded = await openGuardedServices();
});
afterAll(() => guarded.close());

const send = (app: GuardedApp, credential: string, path: string, id = ''): Promise<Answer> =>
  guarded.services[app].http.send('GET', path, {
    headers: { ...bearer(credential), ...(id && { 'x-request-id': id }) },
  });

interface Denied {
  caller: string;
  ip: string;
  request_id: string;
  details: { status?: number; left_out?: number };
}

/** A record that the administrators of the service create, and the type of the event. */
const CREATIONS: Readonly<
  Record<GuardedApp, { path: string; type: string; json: (name: string) => object }>
> = {
  'key-service': {
    path: '/v2alpha1/admin/issuedApiKeys',
    type: 'key.issued',
    json: (name) => ({ name, actor_id: 'someone-else' }),
  },
  'dsync-api': {
    path: '/api/v1/dsync',
    type: 'directory.created',
    json: (name) => ({ name, tenant: name, product: 'crm', type: 'generic-scim-v2' }),
  },
  'identity-forms': {
    path: '/v1/schemas',
    type: 'schema.registered',
    json: (id) => ({ id, schema: SCHEMA }),
  },
};

const denialsOf = async (app: GuardedApp): Promise<Denied[]> => {
  const { status, body } = await send(app, STATIC_KEYS[app], AUDIT_PATHS[app]);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.audit_events ?? body.data;
};

describe.each(GUARDED_APPS)('%s', (app) => {
  it('lists refused calls with caller, address, request id and route, without a credential', async () => {
    const reader = await guarded.issue([`${PREFIXES[app]}:read`]);
    for (let time = 0; time < 5; time += 1) {
      expect(
        (await send(app, 'a-wrong-credential', READ_PATHS[app], `denied-${time}`)).status,
      ).toBe(401);
    }
    const refused = await guarded.services[app].http.send('POST', ROUTES[app], {
      headers: { ...bearer(reader.secret), 'x-request-id': 'denied-scope' },
      json: {},
    });
    expect(refused.status).toBe(403);
    await eventually(async () => {
      const denials = await denialsOf(app);
      expect(denials.map(({ request_id }) => request_id)).toEqual([
        'denied-scope',
        'denied-4',
        'denied-3',
        'denied-2',
        'denied-1',
        'denied-0',
      ]);
      expect(denials[0]).toMatchObject({
        caller: reader.id,
        ip: '127.0.0.1',
        details: { status: 403, method: 'POST', route: ROUTES[app], caller_actor_id: ACTOR },
      });
      expect(denials[1]).toMatchObject({
        caller: '',
        ip: '127.0.0.1',
        details: { status: 401, method: 'GET', route: ROUTES[app] },
      });
      expect(JSON.stringify(denials)).not.toContain('a-wrong-credential');
    });
  });

  it('names the actor of an issued key that changes something, and none of a static key', async () => {
    const { path, type, json } = CREATIONS[app];
    const { http } = guarded.services[app];
    const admin = await guarded.issue([`${PREFIXES[app]}:admin`]);
    for (const [id, key] of [
      ['by-issued-key', admin.secret],
      ['by-static-key', STATIC_KEYS[app]],
    ] as const) {
      const headers = { ...bearer(key), 'x-request-id': id };
      const { status, text } = await http.send('POST', path, { headers, json: json(id) });
      expect([status, text]).toEqual([201, text]);
    }
    const list = AUDIT_PATHS[app].replace('admin.denied', type);
    const { body } = await send(app, STATIC_KEYS[app], list);
    const [byStaticKey, byIssuedKey] = (body.audit_events ?? body.data) as Denied[];
    expect(byIssuedKey).toMatchObject({
      request_id: 'by-issued-key',
      caller: admin.id,
      details: { caller_actor_id: ACTOR },
    });
    expect(byStaticKey?.request_id).toBe('by-static-key');
    expect(byStaticKey?.details).not.toHaveProperty('caller_actor_id');
  });

  it('refuses its own database role to change or delete events', async () => {
    const table = `${PREFIXES[app]}.audit_events`;
    for (const attempt of [
      `UPDATE ${table} SET caller = 'somebody else'`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
    ]) {
      await expect(guarded.database.query(attempt)).rejects.toMatchObject({ code: '42501' });
    }
  });
});

it('lists a refusal to grant or to change control scopes with its caller', async () => {
  const { http } = guarded.services['key-service'];
  const issuer = await guarded.issue(['keys:issue']);
  const admin = await guarded.issue(['keys:admin']);
  const path = ROUTES['key-service'];
  const requests = [
    ['grant-issue', 'POST', path, { name: 'x', actor_id: 'x', scopes: ['keys:admin'] }],
    ['grant-update', 'PATCH', `${path}/${admin.id}`, { name: 'x' }],
    ['grant-rotate', 'POST', `${path}/${admin.id}:rotate`, {}],
  ] as const;
  for (const [id, method, url, json] of requests) {
    const headers = { ...bearer(issuer.secret), 'x-request-id': id };
    const { status, body } = await http.send(method, url, { headers, json });
    expect([status, body.error.details[0].reason]).toEqual([403, 'CONTROL_SCOPE_NOT_GRANTED']);
  }
  await eventually(async () => {
    const denials = await denialsOf('key-service');
    const ours = denials.filter(({ request_id }) => request_id.startsWith('grant-')).reverse();
    expect(ours).toMatchObject(
      requests.map(([request_id, method]) => ({
        request_id,
        caller: issuer.id,
        ip: '127.0.0.1',
        details: { status: 403, method },
      })),
    );
  });
});

it('lists a refusal to merge with a stored identity with its caller', async () => {
  const app = 'identity-forms';
  const reader = await guarded.issue(['forms:read']);
  const query = 'merge=01900000-0000-7000-8000-000000000000';
  const { status } = await send(app, reader.secret, `/v1/schemas/person/decode?${query}`, 'merge');
  expect(status).toBe(403);
  await eventually(async () => {
    const [denial] = (await denialsOf(app)).filter(({ request_id }) => request_id === 'merge');
    expect(denial).toMatchObject({ caller: reader.id, details: { status: 403 } });
  });
});

describe.each(REMOTE_APPS)('%s', (app) => {
  it('admits an issued key that is bound to networks from these networks only', async () => {
    const scopes = [`${PREFIXES[app]}:read`];
    const near = await guarded.issue(scopes, {
      ip_restriction: { allowed_cidrs: ['127.0.0.0/8'] },
    });
    const far = await guarded.issue(scopes, {
      ip_restriction: { allowed_cidrs: ['192.0.2.0/24'] },
    });
    expect((await send(app, near.secret, READ_PATHS[app])).status).toBe(200);
    expect((await send(app, far.secret, READ_PATHS[app])).status).toBe(401);
  });
});

it('writes at most 10 refused calls of one address a minute, and counts the others at the end', async () => {
  const app = 'identity-forms';
  for (let time = 0; time < 20; time += 1) {
    await send(app, 'wrong', READ_PATHS[app], `many-${time}`);
  }
  await guarded.services[app].stop();
  const rows = await guarded.database.query<Denied>(
    `SELECT request_id, details FROM forms.audit_events WHERE type = 'admin.denied'
      ORDER BY event_id`,
  );
  const [last] = rows.slice(-1);
  const written = rows.filter(({ request_id }) => request_id.startsWith('many-')).length;
  // Some refusals of this address were written by the tests above.
  expect(written).toBeLessThan(10);
  expect(last?.details).toEqual({ left_out: 20 - written });
});
