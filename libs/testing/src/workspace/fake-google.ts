/**
 * Google's authorization server and Admin SDK Directory API, as far as directory sync uses them, over
 * real HTTP. Shapes and error bodies follow
 * https://developers.google.com/identity/protocols/oauth2/web-server,
 * https://developers.google.com/identity/protocols/oauth2/service-account and
 * https://developers.google.com/admin-sdk/directory/reference/rest.
 */
import {
  type FakeGroup,
  type FakeMember,
  FakePeople,
  type FakePeopleOptions,
  type FakePerson,
} from './fake-people.js';
import { GoogleAccounts } from './fake-google-accounts.js';
import { GoogleChannels } from './fake-google-channels.js';
import { GOOGLE_FAULTS } from './fake-google-faults.js';
import { type FakeAnswer, type FakeRequest, FakeServer } from './fake-server.js';

const DIRECTORY = '/admin/directory/v1';
const STOP = '/admin/directory_v1/channels/stop';

export interface FakeGoogleOptions extends FakePeopleOptions {
  port?: number;
  /** Pages hold no more than this, whatever the client asks for. */
  pageSizeMax?: number;
}

export interface FakeGoogle {
  url: string;
  people: FakePeople;
  accounts: GoogleAccounts;
  channels: GoogleChannels;
  server: FakeServer;
  /** The settings of a service that use this server. */
  settings: Record<string, string>;
  /**
   * Acts as the browser of an administrator who consents: opens the authorization URL, and resolves to the
   * address that Google redirects it to.
   */
  consent(authorizationUrl: string): Promise<string>;
  close(): Promise<void>;
}

export async function startFakeGoogle(options: FakeGoogleOptions = {}): Promise<FakeGoogle> {
  const people = new FakePeople(options);
  const accounts = new GoogleAccounts();
  const channels = new GoogleChannels();
  const directory = new GoogleDirectory(people, accounts, channels, options.pageSizeMax ?? 500);
  const server = new FakeServer((request) => directory.answer(request));
  const url = await server.listen(options.port);
  return {
    url,
    people,
    accounts,
    channels,
    server,
    settings: {
      WORKSPACE_CLIENT_ID: accounts.clientId,
      WORKSPACE_CLIENT_SECRET: accounts.clientSecret,
      WORKSPACE_AUTH_URL: `${url}/o/oauth2/v2/auth`,
      WORKSPACE_TOKEN_URL: `${url}/token`,
      WORKSPACE_API_URL: url,
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

class GoogleDirectory {
  constructor(
    private readonly people: FakePeople,
    private readonly accounts: GoogleAccounts,
    private readonly channels: GoogleChannels,
    private readonly pageSizeMax: number,
  ) {}

  answer(request: FakeRequest): FakeAnswer {
    const { pathname, searchParams: query } = request.url;
    if (pathname === '/o/oauth2/v2/auth') return this.accounts.authorize(query);
    if (pathname === '/token' && request.method === 'POST') {
      return this.accounts.token(request.form);
    }
    const isStop = pathname === STOP;
    if (!isStop && !pathname.startsWith(`${DIRECTORY}/`)) return GOOGLE_FAULTS.notFound;
    const refusal = this.accounts.refusal(request.headers.authorization);
    if (refusal) return refusal;
    if (isStop) return this.channels.stop(request.text);
    if (pathname === `${DIRECTORY}/users/watch`) return this.channels.watch(query, request.text);
    const customerId = this.accounts.customerOf(request.headers.authorization);
    return this.list(pathname.slice(DIRECTORY.length + 1), query, customerId);
  }

  private list(path: string, query: URLSearchParams, customerId: string): FakeAnswer {
    const from = pageStart(query.get('pageToken'));
    if (from === undefined) return GOOGLE_FAULTS.invalidPageToken;
    const size = Math.min(Number(query.get('maxResults') ?? 100), this.pageSizeMax);
    const groupId = /^groups\/([^/]+)\/members$/.exec(path)?.[1];
    if (groupId !== undefined) {
      const page = this.people.members(decodeURIComponent(groupId), from, size);
      return page ? listing('members', page, query, memberBody) : GOOGLE_FAULTS.notFound;
    }
    if (path !== 'users' && path !== 'groups') return GOOGLE_FAULTS.notFound;
    const domain = query.get('domain');
    if (domain === null && query.get('customer') !== 'my_customer') return GOOGLE_FAULTS.badRequest;
    if (domain !== null && domain !== this.people.domain) return GOOGLE_FAULTS.domainNotFound;
    return path === 'users'
      ? listing('users', this.people.users.page(from, size), query, (user) =>
          userBody(user, customerId),
        )
      : listing('groups', this.people.groups.page(from, size), query, groupBody);
  }
}

/** A page with the members that `fields` names, such as `nextPageToken,users(id,name)`. */
function listing<Entry>(
  name: 'users' | 'groups' | 'members',
  { entries, next }: { entries: Entry[]; next: number | null },
  query: URLSearchParams,
  bodyOf: (entry: Entry) => object,
): FakeAnswer {
  const named = new RegExp(`${name}\\(([^)]*)\\)`).exec(query.get('fields') ?? '')?.[1]?.split(',');
  const pick = (body: object) =>
    named ? Object.fromEntries(Object.entries(body).filter(([key]) => named.includes(key))) : body;
  const items = entries.map((entry) => pick(bodyOf(entry)));
  return {
    body: {
      ...(named ? {} : { kind: `admin#directory#${name}`, etag: '"fake"' }),
      // Google leaves an empty list away.
      ...(items.length === 0 ? {} : { [name]: items }),
      ...(next === null ? {} : { nextPageToken: Buffer.from(`at:${next}`).toString('base64url') }),
    },
  };
}

function pageStart(token: string | null): number | undefined {
  if (token === null) return 0;
  const start = /^at:(\d+)$/.exec(Buffer.from(token, 'base64url').toString('utf8'))?.[1];
  return start === undefined ? undefined : Number(start);
}

function userBody(user: FakePerson, customerId: string): object {
  return {
    kind: 'admin#directory#user',
    id: user.id,
    etag: '"fake"',
    primaryEmail: user.email,
    name: {
      givenName: user.givenName,
      familyName: user.familyName,
      fullName: `${user.givenName} ${user.familyName}`,
    },
    isAdmin: false,
    isDelegatedAdmin: false,
    lastLoginTime: '2026-01-05T09:00:00.000Z',
    creationTime: '2024-01-05T09:00:00.000Z',
    agreedToTerms: true,
    suspended: user.isSuspended,
    archived: false,
    changePasswordAtNextLogin: false,
    ipWhitelisted: false,
    emails: [
      { address: user.email, primary: true },
      { address: `alias-${user.email}`, type: 'work' },
    ],
    externalIds: [{ value: user.employeeNumber, type: 'organization' }],
    phones: [{ value: user.phone, type: 'work' }],
    organizations: [
      { title: user.title, department: user.department, primary: true, customType: '' },
    ],
    languages: [{ languageCode: 'en', preference: 'preferred' }],
    customerId,
    orgUnitPath: user.orgUnit,
    isMailboxSetup: true,
    isEnrolledIn2Sv: true,
    isEnforcedIn2Sv: true,
    includeInGlobalAddressList: true,
  };
}

function groupBody({ id, email, name }: FakeGroup): object {
  return {
    kind: 'admin#directory#group',
    id,
    etag: '"fake"',
    email,
    name,
    directMembersCount: '2',
    description: '',
    adminCreated: true,
  };
}

function memberBody({ id, email, kind }: FakeMember): object {
  return {
    kind: 'admin#directory#member',
    id,
    etag: '"fake"',
    email,
    role: 'MEMBER',
    type: kind === 'user' ? 'USER' : 'GROUP',
    status: 'ACTIVE',
  };
}
