/**
 * Entra ID and Microsoft Graph, as far as directory sync uses them, over real HTTP. Shapes and error
 * bodies follow https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow,
 * https://learn.microsoft.com/entra/identity-platform/v2-admin-consent,
 * https://learn.microsoft.com/graph/delta-query-overview and
 * https://learn.microsoft.com/graph/errors.
 */
import { randomBytes } from 'node:crypto';
import { type DeltaSource, EntraDeltas, selected } from './fake-entra-changes.js';
import { ENTRA_FAULTS } from './fake-entra-faults.js';
import { EntraSubscriptions } from './fake-entra-subscriptions.js';
import {
  type FakeGroup,
  type FakeMember,
  FakePeople,
  type FakePeopleOptions,
  type FakePerson,
} from './fake-people.js';
import { type FakeAnswer, type FakeRequest, FakeServer } from './fake-server.js';

export interface FakeEntraOptions extends FakePeopleOptions {
  port?: number;
  /** Pages hold no more than this, whatever the client asks for. */
  pageSizeMax?: number;
}

export interface FakeEntra {
  url: string;
  tenant: string;
  people: FakePeople;
  subscriptions: EntraSubscriptions;
  server: FakeServer;
  directory: EntraDirectory;
  /** The settings of a service that use this server. */
  settings: Record<string, string>;
  /** Acts as the browser of an administrator who consents; resolves to the address it is redirected to. */
  consent(authorizationUrl: string): Promise<string>;
  close(): Promise<void>;
}

const TENANT = '8b0f2f6e-6c5e-4f0a-9a1e-2b7c4d9e1f00';
const CLIENT_ID = '5d1f3c1a-1111-4a4a-8b8b-000000000001';
const CLIENT_SECRET = 'fake~entra-client-secret';
/** Names of the tenant in addresses: its ID, and a domain. */
const TENANT_NAMES = [TENANT, 'contoso.onmicrosoft.com'];
const VERSION = '/v1.0';
const TOKEN_SECONDS = 3_599;

export async function startFakeEntra(options: FakeEntraOptions = {}): Promise<FakeEntra> {
  const people = new FakePeople(options);
  const subscriptions = new EntraSubscriptions(TENANT);
  const directory = new EntraDirectory(people, subscriptions, options.pageSizeMax ?? 999);
  const server = new FakeServer((request) => directory.answer(request));
  const url = await server.listen(options.port);
  directory.url = url;
  return {
    url,
    tenant: TENANT,
    people,
    subscriptions,
    server,
    directory,
    settings: {
      WORKSPACE_ENTRA_CLIENT_ID: CLIENT_ID,
      WORKSPACE_ENTRA_CLIENT_SECRET: CLIENT_SECRET,
      WORKSPACE_ENTRA_LOGIN_URL: url,
      WORKSPACE_ENTRA_API_URL: `${url}${VERSION}`,
    },
    consent: async (authorizationUrl) => {
      const response = await fetch(authorizationUrl, { redirect: 'manual' });
      const location = response.headers.get('location');
      if (location === null) throw new Error(`no consent: ${await response.text()}`);
      return location;
    },
    close: () => server.close(),
  };
}

export class EntraDirectory {
  url = '';
  /** False: the tenant does not know the application. */
  isConsented = true;
  readonly deltas = new EntraDeltas();
  private readonly tokens = new Set<string>();

  constructor(
    private readonly people: FakePeople,
    private readonly subscriptions: EntraSubscriptions,
    private readonly pageSizeMax: number,
  ) {}

  expireAccessTokens(): void {
    this.tokens.clear();
  }

  answer(request: FakeRequest): FakeAnswer | Promise<FakeAnswer> {
    const { pathname, searchParams: query } = request.url;
    if (pathname.endsWith('/adminconsent')) return this.consent(pathname, query);
    if (pathname.endsWith('/oauth2/v2.0/token')) return this.token(pathname, request.form);
    if (!pathname.startsWith(`${VERSION}/`)) return ENTRA_FAULTS.notFound;
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!this.tokens.has(token)) return ENTRA_FAULTS.unauthenticated;
    if (pathname.startsWith(`${VERSION}/subscriptions`)) return this.subscriptions.answer(request);
    const wanted = /odata\.maxpagesize=(\d+)/.exec(String(request.headers.prefer ?? ''))?.[1];
    const size = Math.min(Number(query.get('$top') ?? wanted ?? 100), this.pageSizeMax);
    return this.list(pathname.slice(VERSION.length + 1), query, size);
  }

  private list(path: string, query: URLSearchParams, size: number): FakeAnswer {
    const select = query.get('$select')?.split(',') ?? [];
    const token = query.get('$deltatoken');
    const source = this.sourceOf(path);
    const base = `${this.url}${VERSION}/${path}`;
    if (token === 'latest' && source) {
      const link = this.deltas.link(base, source, select);
      return { body: { value: [], '@odata.deltaLink': link } };
    }
    if (token !== null && source) return this.deltas.answer(base, source, token, size);
    const skipped = query.get('$skiptoken');
    const from = startOf(skipped);
    if (from === undefined) {
      return source
        ? this.deltas.answer(base, source, skipped ?? '', size)
        : ENTRA_FAULTS.staleToken;
    }
    if (path === 'users/delta') {
      return this.page(path, this.people.users.page(from, size), select, userBody);
    }
    if (path === 'groups/delta') {
      return this.page(path, this.people.groups.page(from, size), select, groupBody);
    }
    const groupId = /^groups\/([^/]+)\/members$/.exec(path)?.[1] ?? '';
    const members = this.people.members(decodeURIComponent(groupId), from, size);
    return members
      ? this.page(path, members, ['@odata.type', ...select], memberBody)
      : ENTRA_FAULTS.notFound;
  }

  /** Pages of delta functions do not repeat the parameters; their token stands for them. */
  private page<Entry>(
    path: string,
    { entries, next }: { entries: Entry[]; next: number | null },
    select: string[],
    bodyOf: (entry: Entry) => object,
  ): FakeAnswer {
    const source = this.sourceOf(path);
    const base = `${this.url}${VERSION}/${path}`;
    const token = Buffer.from(`at:${next}`).toString('base64url');
    const link =
      next === null
        ? source && { '@odata.deltaLink': this.deltas.link(base, source, select) }
        : { '@odata.nextLink': `${base}?$select=${select.join(',')}&$skiptoken=${token}` };
    return {
      body: {
        '@odata.context': `${this.url}${VERSION}/$metadata#${path}`,
        value: entries.map((entry) => selected(bodyOf(entry), select)),
        ...link,
      },
    };
  }

  private sourceOf(path: string): DeltaSource | undefined {
    const { users, groups } = this.people;
    if (path === 'users/delta') {
      return {
        journal: users.journal,
        isGone: (number) => users.isGone(number),
        bodyOf: (number, before) =>
          userBody((before as FakePerson | undefined) ?? users.at(number)),
      };
    }
    if (path !== 'groups/delta') return undefined;
    return {
      journal: groups.journal,
      isGone: (number) => groups.isGone(number),
      bodyOf: (number, before) => groupBody((before as FakeGroup | undefined) ?? groups.at(number)),
    };
  }

  private consent(pathname: string, query: URLSearchParams): FakeAnswer {
    const redirect = query.get('redirect_uri') ?? '';
    const isTenant = TENANT_NAMES.some((name) => pathname === `/${name}/adminconsent`);
    const isKnown = isTenant && query.get('client_id') === CLIENT_ID;
    if (!isKnown || !URL.canParse(redirect)) return ENTRA_FAULTS.unknownTenant;
    const back = new URL(redirect);
    back.searchParams.set('state', query.get('state') ?? '');
    if (this.isConsented) {
      back.searchParams.set('admin_consent', 'True');
      back.searchParams.set('tenant', TENANT);
    } else {
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_description', 'AADSTS65004: User declined to consent.');
    }
    return { status: 302, headers: { location: back.href } };
  }

  private token(pathname: string, form: URLSearchParams): FakeAnswer {
    const isTenant = TENANT_NAMES.some((name) => pathname === `/${name}/oauth2/v2.0/token`);
    if (!isTenant) return ENTRA_FAULTS.unknownTenant;
    if (!this.isConsented) return ENTRA_FAULTS.unknownApplication;
    const isKnown =
      form.get('client_id') === CLIENT_ID &&
      form.get('client_secret') === CLIENT_SECRET &&
      form.get('grant_type') === 'client_credentials' &&
      form.get('scope') === `${this.url}/.default`;
    if (!isKnown) return ENTRA_FAULTS.invalidClient;
    const token = `eyJ0eXAi.fake-${randomBytes(24).toString('base64url')}.x`;
    this.tokens.add(token);
    return { body: { token_type: 'Bearer', expires_in: TOKEN_SECONDS, access_token: token } };
  }
}

function startOf(token: string | null): number | undefined {
  if (token === null) return 0;
  const start = /^at:(\d+)$/.exec(Buffer.from(token, 'base64url').toString('utf8'))?.[1];
  return start === undefined ? undefined : Number(start);
}

function userBody(user: FakePerson): object {
  return {
    id: user.id,
    userPrincipalName: user.email,
    displayName: `${user.givenName} ${user.familyName}`,
    givenName: user.givenName,
    surname: user.familyName,
    mail: user.email,
    accountEnabled: !user.isSuspended,
    jobTitle: user.title,
    department: user.department,
    companyName: null,
    employeeId: user.employeeNumber,
    businessPhones: [user.phone],
    mobilePhone: null,
    preferredLanguage: 'en-US',
    userType: 'Member',
    officeLocation: user.orgUnit,
  };
}

function groupBody({ id, email, name }: FakeGroup): object {
  return { id, displayName: name, mail: email, mailEnabled: true, securityEnabled: true };
}

function memberBody({ id, kind }: FakeMember): object {
  return { '@odata.type': `#microsoft.graph.${kind}`, id };
}
