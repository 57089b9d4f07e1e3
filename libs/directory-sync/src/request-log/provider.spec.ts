import { type ScimRequest } from '../scim/protocol/scim.types.js';
import { recognizeProvider } from './provider.js';

const request = (part: Partial<ScimRequest> = {}): ScimRequest => ({
  directoryId: '',
  apiSecret: '',
  method: 'GET',
  query: {},
  target: { kind: 'collection', resource: 'User' },
  ...part,
});

it.each([
  ['Okta SCIM Client 1.0.0', 'okta'],
  ['OKTA SCIM Integration', 'okta'],
  ['OneLogin SCIM', 'onelogin'],
  ['JumpCloud', 'jumpcloud'],
  ['PingFederate/12', 'ping'],
  ['rippling-scim', 'rippling'],
  ['Google-Auto-Provisioning', 'google'],
  ['Microsoft Azure AD', 'entra'],
  ['shipping/1.0', null],
])('recognizes the user agent %s as %s', (userAgent, provider) => {
  expect(recognizeProvider(userAgent, request())).toBe(provider);
});

const ENTRA_GROUP = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';

it.each<[string, Partial<ScimRequest>, string | null]>([
  ['a flag of Entra ID', { query: { aadOptscim062020: '' } }, 'entra'],
  ['a group of Entra ID', { body: { schemas: [ENTRA_GROUP] } }, 'entra'],
  ['an operation of Entra ID', { body: { Operations: [{ op: 'Replace' }] } }, 'entra'],
  ['an operator of PingOne', { query: { filter: 'userName Eq "a"' } }, 'ping'],
  ['a user of Okta', { body: { externalId: '00ujl29u0le5T6Aj10h7' } }, 'okta'],
  ['a user of JumpCloud', { body: { externalId: '64b7f6a0c1d2e3f4a5b6c7d8' } }, 'jumpcloud'],
  [
    'anything else',
    { body: { Operations: [{ op: 'replace' }] }, query: { filter: 'a eq "b"' } },
    null,
  ],
  ['a hostile body', { body: { Operations: [null, { op: {} }], schemas: 'x' } }, null],
])('recognizes %s', (_, part, provider) => {
  expect(recognizeProvider('', request(part))).toBe(provider);
});
