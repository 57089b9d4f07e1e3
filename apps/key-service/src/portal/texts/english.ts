import { type PortalTexts } from './portal-texts.js';

export const ENGLISH: PortalTexts = {
  title: 'API keys',
  openText: 'On the next pages you manage your API keys.',
  openOnce: 'This address opens once. Go on in the browser in which you want to manage them.',
  openButton: 'Continue',

  listText: 'With these keys, programs call this application on your behalf.',
  empty: 'There are no keys yet.',
  more: 'Older keys',
  create: 'Create a key',
  back: 'Back to the keys',
  until: (time) => `You can use these pages until ${time}.`,

  statuses: {
    KEY_STATUS_UNSPECIFIED: 'unknown',
    KEY_STATUS_ACTIVE: 'active',
    KEY_STATUS_PAUSED: 'paused',
    KEY_STATUS_EXPIRED: 'expired',
    KEY_STATUS_REVOKED: 'revoked',
  },
  status: 'Status',
  created: 'Created',
  lastUsed: 'Last used',
  never: 'never',
  expires: 'Expires',
  noExpiry: 'does not expire',
  preview: 'Key',
  scopes: 'Permissions',
  noScopes: 'none',
  scopesHint: 'Choose what the programs need that use the key. Permissions cannot be added later.',
  limits: 'Limits',

  newTitle: 'Create a key',
  name: 'Name',
  nameHint: 'Where the key is used, for example “Nightly report”.',
  nameFault: 'Enter a name of 1 to 255 characters.',
  faultPrefix: 'Error:',

  secretTitle: 'Your key',
  secretOnce: 'Copy it now: it is shown only once.',
  secretGone: 'This key was created already, and is not shown again.',
  lostReplace: 'If it is lost, replace it.',
  lostCreate: 'If it is lost, create another one.',

  usageTitle: (days) => `Usage in the last ${days} days`,
  usageNone: 'No requests in this time.',
  usageAccepted: 'accepted',
  usageRefused: 'refused',
  usageDay: 'Day',
  usageTable: 'As a table',
  usageLabel: (highest) => `Requests by day; the most on a day: ${highest}`,

  rotateTitle: 'Replace this key',
  rotateText: 'A new key takes over its name and permissions.',
  rotateNow: 'Replace now: this key stops working at once',
  rotateLater: 'Replace: this key works for another 24 hours',
  rotateOther: 'This key has permissions that cannot be given here, so it cannot be replaced here.',
  revokeTitle: 'Revoke this key',
  revokeText: 'Programs that use it stop working at once.',
  revoke: 'Revoke',
  revokeQuestion: 'Do you want to revoke this key?',
  revokeUndo: 'You cannot undo this. An administrator can, within an hour.',
  revoked:
    'This key is revoked. If that was a mistake, tell your administrator within an hour: they can undo it.',
  replaceQuestion: 'Do you want to replace this key now?',
  replaceText:
    'Programs that use it stop working at once, until they have the new key. This cannot be undone.',
  replace: 'Replace now',
  replaced: 'The key before it has stopped working.',
  cancel: 'Cancel',
  keysLimit: (max) => `You have as many keys as allowed (${max}).`,
  keysLimitRevoke: 'Revoke one to create another.',
  newKeysLimit: (max) =>
    `You have made as many keys in 24 hours as allowed (${max}). Try again tomorrow.`,

  gone: {
    title: 'This address does not work any more',
    text: 'It was opened before, has expired, or was withdrawn. Go back to the application to get a new one.',
  },
  notFound: { title: 'Page not found', text: 'Check the address, or go back to the application.' },
  forbidden: {
    title: 'This is not allowed here',
    text: 'Nothing was changed. If you came from our pages, allow cookies for this site, go back, and try again.',
  },
  conflict: {
    title: 'This is not possible now',
    text: 'Nothing was changed. The key was changed meanwhile: go back to the keys to see its state.',
  },
  tooMany: {
    title: 'Too many requests',
    text: 'Nothing was changed. Wait a minute, then load the page again.',
  },
  unreadable: {
    title: 'We could not read that',
    text: 'Nothing was changed. Go back, and try again.',
  },
  failed: { title: 'Something went wrong', text: 'Try again in a few minutes.' },
};
