import { type SetupTexts } from './setup-texts.js';

export const ENGLISH: SetupTexts = {
  openTitle: 'Connect your identity provider',
  openText: (application = 'this application') =>
    `The next pages show how users and groups of your organization get from your identity provider to ${application}. You need administrator access to the provider.`,
  openTime: 'Allow about 15 minutes.',
  openOnce: 'This link opens once. Go on in the browser in which you want to finish the setup.',
  openButton: 'Continue',

  stepsLabel: 'Steps of the setup',
  progress: (step, steps) => `Step ${step} of ${steps}`,
  back: 'Back',
  next: 'Continue',
  skip: 'Skip',
  toSetup: 'Back to the setup',

  providerTitle: 'Choose your identity provider',
  providerText: (directory) => `You are connecting “${directory}”.`,
  providerMissing: 'Choose an identity provider.',
  otherProvider: 'Another one that speaks SCIM 2.0',
  faultPrefix: 'Error:',

  inProvider: (provider) => `In ${provider}:`,
  yourProvider: 'your identity provider',
  createToken: 'Create a token',
  replaceToken:
    'A new token replaces the last one. If the directory is in use, the last one works for another 24 hours.',
  tokenBelow: (field) => `Create a token, then paste it into ${field}.`,
  tokenElsewhere: (field) =>
    `In ${field}, enter the token that the people who sent you the link give you.`,
  yourToken: 'Your token',
  tokenOnce:
    'Copy it now: it is shown only once. Click it to select all of it. If you lose it, create a new one.',
  notesTitle: 'Good to know',

  mappingTitle: 'Choose the attributes',
  mappingText:
    'Besides name and e-mail address, the application asks for these attributes. Enter the SCIM attribute in which your identity provider sends each of them; leave out what you do not send.',
  mappingSave: 'Save and continue',
  mappingRefused: 'Enter the name of a SCIM attribute, such as title or name.givenName.',
  mappingChanged:
    'Someone has changed these attributes meanwhile. Your entries were not saved; this is what applies now.',

  groupsTitle: 'Choose the groups',
  groupsText:
    'The application reads the users of your organization. Choose which groups it reads as well.',
  groupsQuestion: 'Which groups?',
  groupsAll: 'All groups',
  groupsSome: 'Only these groups:',
  groupsNames: 'Names, e-mail addresses or ids of groups, one per line',
  groupsSave: 'Save and continue',
  groupsRefused:
    'Enter at least one group, one per line, with at most 512 characters each and at most 1,000 groups.',
  groupsBoth:
    'You chose all groups, but named some. Choose “Only these groups”, or remove the names.',
  groupsChanged:
    'Someone has changed the choice meanwhile. Your entries were not saved; this is what applies now.',
  groupsLater:
    'Groups that you remove from the list are deleted in the application. If these are many, the people who sent you the link have to approve it.',

  rolesTitle: 'Give roles to groups',
  rolesText:
    'Choose which role in the application the members of each group get. Groups inside a group count as well.',
  rolesNone: 'No role',
  rolesNoGroups: 'No group has arrived yet. Come back when the check shows the first one.',
  rolesMore: (shown) =>
    `These are the first ${shown} groups by name. The people who sent you the link can give roles to others.`,
  rolesPreview: 'Show what changes',
  rolesSave: 'Save',
  rolesSaveAndFinish: 'Save and finish',
  rolesFinishOnly: 'Finish without saving',
  rolesSaved: 'Saved. The users of a large directory get their roles within minutes.',
  rolesEffectTitle: 'This would change',
  rolesGained: (users) => (users === 1 ? '1 user gets' : `${users} users get`),
  rolesLost: (users) => (users === 1 ? '1 user loses' : `${users} users lose`),
  rolesNoEffect: 'No user gets another role.',
  rolesPartial: (users) => `Only the first ${users} users were compared.`,
  rolesChanged:
    'Someone has changed the roles meanwhile. Your choice was not saved; this is what applies now.',
  rolesTooMany: 'These are more groups with roles than possible. Nothing was saved.',

  checkTitle: 'Check the connection',
  checkText: 'This page shows what arrives from your identity provider.',
  checks: { request: 'First request', user: 'First user', group: 'First group' },
  seen: 'received',
  seenRefused: 'received, but refused',
  notSeen: 'not yet',
  groupOptional: 'Only if you send groups',
  otherRecognized: (recognized, chosen) =>
    `The requests look like those of ${recognized}, but you chose ${chosen}. Check the provider in the first step.`,
  refusedTitle: 'Refused requests',
  refusedText: 'These requests were refused. This is what to change:',
  times: (count) => `${count} times`,
  refreshing: (seconds) => `This page updates every ${seconds} seconds.`,
  stopRefreshing: 'Stop updating',
  startRefreshing: 'Update by itself',
  checkAgain: 'Check again',
  finish: 'Finish',
  finishLater: (until) =>
    `You can close this page and come back in this browser until ${until}. Once a request has been accepted, you can finish here.`,

  workspace: {
    accountOf: (domain) => `Use an account of the organization “${domain}”.`,
    continueTo: (company) => `Continue to ${company}`,
    consentAgain: 'Consent was given. Give it again to use another account.',
    problems: {
      refused:
        'The consent was declined, so nothing was connected. If your account may not give it, ask an administrator to do so in this browser.',
      expired:
        'This took longer than ten minutes, or was finished before. Nothing was connected. Begin again with the button.',
      unanswered:
        'The provider gave no consent, so nothing was connected. Begin again with the button.',
      incomplete:
        'Not all permissions were allowed, so nothing was connected. Begin again, and allow all of them.',
      wrong_account:
        'The consent was given for another organization, so nothing was connected. Sign in with an account of the right one.',
      failed:
        'The provider gave no access, so nothing was connected. Try again in a few minutes. If that does not help, ask the people who sent you the link.',
    },
    checkText: (provider) => `This page shows what is read from ${provider}.`,
    checks: { consent: 'Consent', users: 'Users', groups: 'Groups' },
    given: 'given',
    read: (number) => `${number} read`,
    same: 'unchanged',
    noneFound: 'None of the groups that you chose was found. Check their names.',
    run: {
      queued: 'The first reading begins shortly.',
      listing: 'Users and groups are being read.',
      applying: 'What was read is being stored.',
      held: 'What was read would change a lot, so the people who sent you the link have to approve it.',
      failed: 'Reading has failed. The reason:',
      discarded: 'What was read was discarded by the people who sent you the link.',
      paused: 'Reading goes on later by itself. The reason:',
      unchanged: 'Everything has been read; nothing has changed since the last time.',
      succeeded: 'Everything has been read and stored.',
    },
    whatToDo: {
      consent: 'The access was not given, or has ended. Give consent again.',
      account:
        'Check that the account is one of the right organization and has the role of the first step; then give consent again. If the reason is a setting of the application, ask the people who sent you the link.',
    },
    toConsent: 'Give consent again',
    finishLater: (until) =>
      `You can close this page and come back in this browser until ${until}. Once users have been read, you can finish here.`,
  },

  doneTitle: 'The setup is finished',
  connected: (directory, provider = 'your identity provider') =>
    `“${directory}” is connected to ${provider}.`,
  doneText: 'Changes arrive from now on. You can close this page.',

  gone: {
    title: 'This link does not work any more',
    text: 'It was opened before, has expired, or was withdrawn. If you opened it, go on in that browser. Otherwise ask for a new link.',
  },
  foreign: {
    title: 'This consent was not begun here',
    text: 'Nothing was connected. Go on in the browser in which you opened the setup link, and use the button there again. If the link has expired or was withdrawn, ask for a new one.',
  },
  notFound: { title: 'Page not found', text: 'Check the address, or ask for a new link.' },
  forbidden: {
    title: 'We could not verify that this came from you',
    text: 'Nothing was changed. Allow cookies for this site, go back, and try again.',
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
