import { DomainError } from '@gatehouse/kit/errors';
import { type Language, LANGUAGES } from '@gatehouse/pages';
import { formFaults } from '@gatehouse/testing';
import { KeyErrors } from '../errors.js';
import { type KeyRecord } from '../store/keys/key.record.js';
import { type PortalSession } from '../store/portal/portal-session.js';
import { replacePage, revokePage } from './confirm.pages.js';
import { type SessionFrame } from './portal-frame.js';
import { keyPage, keysPage, newPage, openPage, secretPage } from './portal.pages.js';

const NOW = new Date();
const SESSION = {
  allow: ['create', 'rotate', 'revoke'],
  scopes: ['a', 'b'],
  maxKeys: 5,
  returnUrl: 'https://app.example.com/',
  expireTime: NOW,
} as unknown as PortalSession;
const KEY = {
  keyId: 'key',
  name: 'Nightly report',
  keyPreview: 'x7Qd',
  scopes: ['a'],
  rateLimits: [{ name: 'calls', quota: '9', windowSeconds: 86_400 }],
  createTime: new Date('2026-11-25T03:53:00Z'),
  lastUsedTime: null,
  expireTime: null,
  pauseTime: null,
  revokeTime: null,
  replacedBy: '',
} as unknown as KeyRecord;
const LIMIT = new DomainError(KeyErrors.PORTAL_KEYS_LIMIT_REACHED, { metadata: { limit: '5' } });
const SENT = { name: 'Robot', scopes: ['b'] };

const frameOf = (language: Language, more: object = {}): SessionFrame => ({
  language,
  basePath: '/portal',
  theme: {},
  session: Object.assign({}, SESSION, more),
  csrfToken: 'token',
});
const keyOf = (more: object): KeyRecord => Object.assign({}, KEY, more);

/** Pages of one session, by name. */
function pagesOf(frame: SessionFrame): [string, string][] {
  const keys = Array.from({ length: 5 }, () => KEY);
  return [
    ['open', openPage(frame, 'secret')],
    ['keys', keysPage(frame, { keys, nextPageToken: 'next' })],
    ['keys, none', keysPage(frame, { keys: [], nextPageToken: '' })],
    ['keys, limit', keysPage(frame, { keys, nextPageToken: '', limit: LIMIT })],
    ['new', newPage(frame, 'nonce')],
    ['new, refused', newPage(frame, 'nonce', { sent: SENT })],
    ['new, limit', newPage(frame, 'nonce', { limit: LIMIT })],
    ['new, late limit', newPage(frame, 'nonce', { sent: SENT, limit: LIMIT })],
    ['secret', secretPage(frame, KEY, 'secret')],
    ['secret, gone', secretPage(frame, KEY, '', true)],
    ['key', keyPage(frame, KEY, 'nonce', [])],
    ['key, revoked', keyPage(frame, keyOf({ revokeTime: NOW }), 'nonce', undefined)],
    ['revoke', revokePage(frame, KEY)],
    ['replace', replacePage(frame, KEY, 'nonce')],
  ];
}

it.each(LANGUAGES)(
  'portal pages have one primary button, which submits every field, in %s',
  (each) => {
    for (const allow of [SESSION.allow, []]) {
      for (const [name, html] of pagesOf(frameOf(each, { allow }))) {
        expect([name, formFaults(html)]).toEqual([name, []]);
      }
    }
  },
);

const page = (name: string) => new Map(pagesOf(frameOf('en'))).get(name) ?? '';

it('asks before a key stops working: its page has no button that ends it', () => {
  const [, ...forms] = page('key').split('<form');
  const ending = forms.filter((form) => form.includes('/revoke"') || form.includes('value="0"'));
  expect(ending).toHaveLength(2);
  for (const form of ending) expect(form).toContain('name="ask"');
  for (const name of ['revoke', 'replace']) {
    expect(page(name)).toContain('class="primary warning"');
    expect(page(name)).not.toContain('name="ask"');
    expect(page(name)).toContain('Cancel</a>');
  }
});

it('says for an hour that an administrator can take a revocation back, unless it is final', () => {
  const banner = 'tell your administrator within an hour';
  const shown = (more: object) => keyPage(frameOf('en'), keyOf(more), 'nonce', undefined);
  expect(page('key, revoked')).toContain(banner);
  expect(shown({ revokeTime: new Date(NOW.getTime() - 3_600_000) })).not.toContain(banner);
  expect(shown({ revokeTime: NOW, replacedBy: 'other' })).not.toContain(banner);
  expect(page('key')).not.toContain(banner);
  expect(page('revoke')).toContain('within an hour');
  expect(revokePage(frameOf('en'), keyOf({ replacedBy: 'other' }))).not.toContain('within an hour');
});

it('offers no form at the limit, and keeps the one that was sent', () => {
  const text = 'You have as many keys as allowed (5).';
  for (const name of ['keys, limit', 'new, limit', 'new, late limit']) {
    expect(page(name)).toContain(text);
  }
  expect(page('keys, limit')).not.toContain('/keys/new');
  expect(page('new, limit')).not.toContain('<form');
  expect(page('new, late limit')).toContain('value="Robot"');
});

it('shows a key without a name by its preview, also as the link to its page', () => {
  const key = keyOf({ name: '' });
  const preview = '<code translate="no">x7Qd</code>';
  const list = keysPage(frameOf('en'), { keys: [key], nextPageToken: '' });
  expect(list).toContain(`<a href="/portal/keys/key">${preview}</a>`);
  expect(keyPage(frameOf('en'), key, 'nonce', [])).toContain(`<h1>${preview}</h1>`);
  expect(secretPage(frameOf('en'), key, 'secret')).toContain(`<p class="lead">${preview}</p>`);
});

it.each([
  [['create', 'rotate', 'revoke'], 'replace it.', 'Revoke one'],
  [['create'], 'create another one.', undefined],
  [['rotate'], 'replace it.', undefined],
  [['revoke'], undefined, 'Revoke one'],
])('advises only what the session allows: %j', (allow, lost, full) => {
  const pages = new Map(pagesOf(frameOf('en', { allow })));
  for (const name of ['secret', 'secret, gone']) {
    expect(/If it is lost, (.*)<\/p>/.exec(pages.get(name) ?? '')?.[1]).toBe(lost);
  }
  const limit = pages.get('new, limit') ?? '';
  expect(limit).toContain('as many keys as allowed');
  expect(/Revoke one/.exec(limit)?.[0]).toBe(full);
});

it('writes times so that the day and the month cannot be confused', () => {
  expect(page('key')).toContain('25 Nov 2026, 03:53 UTC');
});
