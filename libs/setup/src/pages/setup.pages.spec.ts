import { formFaults } from '@gatehouse/testing';
import { type Language, LANGUAGES } from '@gatehouse/pages';
import { SCIM_GUIDES } from '../guides/index.js';
import { type SetupReading } from '../links/setup-consents.js';
import { type SetupProof } from '../links/setup-proof.js';
import { type SetupSession } from '../links/setup-sessions.js';
import { checkPage } from './check.page.js';
import { groupsPage } from './groups.page.js';
import { mappingPage } from './mapping.page.js';
import { readingPage } from './reading.page.js';
import { rolesPage } from './roles.page.js';
import { guideFor, type SessionFrame } from './setup-frame.js';
import { openPage, providerPage, stepPage } from './setup.pages.js';

const SESSION: SetupSession = {
  linkId: 'link',
  directoryName: 'Acme',
  endpoint: 'https://sync.example.com/scim/v2.0/1',
  allow: ['token', 'mapping', 'roles', 'groups'],
  roles: ['admin', 'editor'],
  locale: null,
  provider: 'okta',
  step: null,
  returnUrl: 'https://app.example.com/',
  expiresAt: new Date('2026-11-25T03:53:00Z'),
  csrfKey: Buffer.alloc(32),
  secretSha256: Buffer.alloc(32),
  hasToken: false,
  isConnected: false,
  workspace: null,
};
const REFUSED = { count: 2, lastAt: new Date(0), method: 'POST', path: '/Users', detail: 'x' };
const PROOF: SetupProof = {
  hasRequest: true,
  isConnected: false,
  hasUsers: false,
  hasGroups: false,
  recognizedProvider: 'entra',
  refused: [{ ...REFUSED, status: 401, scimType: null }],
};
const RUN = { users: 5, groups: 1, isUnchanged: false, error: null, needsConsent: false };
const READING: SetupReading = {
  hasConsented: true,
  isConnected: true,
  run: { ...RUN, state: 'succeeded' },
  hasNoGroup: false,
};
const CHOICES = {
  roles: SESSION.roles,
  groups: [
    { id: 'a', name: 'Administrators', role: 'admin' },
    { id: 'b', name: 'Staff', role: '' },
  ],
  hasMore: true,
  etag: 'etag',
};
const EFFECT = {
  users: 9,
  is_complete: false,
  users_changed: 3,
  roles: [
    { role: 'admin', gained: 0, lost: 1 },
    { role: 'editor', gained: 2, lost: 0 },
  ],
  groups: [],
  examples: [],
};
const MAPPING = { attributes: [{ name: 'rank', path: 'title' }], etag: 'etag' };

const frameOf = (language: Language, more: Partial<SetupSession> = {}): SessionFrame => ({
  language,
  basePath: '/setup',
  theme: { name: 'Shop' },
  session: { ...SESSION, ...more },
  csrfToken: 'token',
});

/** Pages of one session, by name. */
function pagesOf(frame: SessionFrame): [string, string][] {
  const preview = { chosen: { a: 'editor' }, preview: EFFECT, previewed: 'digest' };
  const steps = (guideFor(frame.session)?.steps ?? []).flatMap((_, index): [string, string][] => {
    const page = (options = {}) => stepPage(frame, index + 1, options) ?? '';
    const number = String(index + 1);
    return [
      [`step ${number}`, page()],
      [`step ${number}, token`, page({ token: 'scim_secret' })],
      [`step ${number}, refusal`, page({ refusal: 'No.', problem: 'refused' })],
    ];
  });
  return [
    ['open', openPage(frame, 'secret', 'Acme')],
    ['provider', providerPage(frame)],
    ['provider, none', providerPage(frame, true)],
    ...steps,
    ['mapping', mappingPage(frame, MAPPING)],
    ['mapping, refused', mappingPage(frame, MAPPING, { refused: ['rank'], isStale: true })],
    ['groups', groupsPage(frame, { groups: [], etag: 'etag' })],
    ['groups, some', groupsPage(frame, { groups: ['a'], etag: 'etag' })],
    ['groups, both', groupsPage(frame, { groups: [], etag: '' }, { refused: 'a', isBoth: true })],
    ['roles', rolesPage(frame, CHOICES)],
    ['roles, preview', rolesPage(frame, CHOICES, preview)],
    ['roles, stale', rolesPage(frame, CHOICES, { isStale: true, isSaved: true })],
    ['roles, none', rolesPage(frame, { ...CHOICES, groups: [], hasMore: false })],
    ['check', checkPage(frame, PROOF, { refreshes: true })],
    ['check, connected', checkPage(frame, { ...PROOF, isConnected: true }, { refreshes: false })],
    ['reading', readingPage(frame, READING, { refreshes: false })],
    ['reading, none', readingPage(frame, { ...READING, isConnected: false }, { refreshes: true })],
  ];
}

const WORKSPACE = { provider: 'google', domain: 'example.com', consentedAt: null } as const;
const SESSIONS: Partial<SetupSession>[] = [
  ...SCIM_GUIDES.map(({ id }) => ({ provider: id as SetupSession['provider'] })),
  { provider: null },
  { isConnected: true, hasToken: true },
  { allow: [], isConnected: true },
  { workspace: WORKSPACE },
  { workspace: { ...WORKSPACE, provider: 'entra', consentedAt: new Date(0) }, isConnected: true },
];

describe.each(LANGUAGES)('setup pages in %s', (language) => {
  it.each(SESSIONS.map((session) => [JSON.stringify(session), session] as const))(
    'have one primary button at most, which submits every field: %s',
    (_, session) => {
      for (const [name, html] of pagesOf(frameOf(language, session))) {
        expect([name, formFaults(html)]).toEqual([name, []]);
      }
    },
  );
});

const page = (name: string, session: Partial<SetupSession> = {}) =>
  new Map(pagesOf(frameOf('en', session))).get(name) ?? '';
const textOf = (html: string) => html.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');

it('counts the steps once the provider is known', () => {
  expect(page('provider', { provider: null })).not.toMatch(/Step \d/);
  expect(page('provider')).toMatch(/Step 1 of \d/);
});

it('names the application, and the directory, before the link is opened', () => {
  expect(textOf(page('open'))).toContain('to Shop.');
  expect(textOf(page('open'))).toContain('“Acme”');
});

it('has the button that creates a token in the instruction that needs the token', () => {
  const [step = ''] = /<ol class="instructions">.*?<\/ol>/s.exec(page('step 2')) ?? [];
  expect(textOf(step)).toContain('Create a token, then paste it into Authorization.');
  expect(step).toContain('action="/setup/token"');
  const without = textOf(page('step 2', { allow: [] }));
  expect(without).toContain('In Authorization, enter the token that the people');
  expect(without).not.toContain('Create a token');
});

it('says how many users get and lose a role', () => {
  const text = textOf(page('roles, preview', { isConnected: true }));
  expect(text).toContain('2 users get editor');
  expect(text).toContain('1 user loses admin');
});

it('does not count a request that was refused as received', () => {
  const text = textOf(page('check'));
  expect(text).toContain('First request: received, but refused');
  expect(page('check')).not.toContain('is-seen');
});

it('names no product where the provider is not known', () => {
  expect(textOf(page('step 1', { provider: 'other' }))).toContain('In your identity provider:');
});
