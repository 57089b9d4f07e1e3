/** Texts of the set-up pages. What is done in a provider comes from its guide. */

interface NoticeTexts {
  title: string;
  text: string;
}

export interface SetupTexts {
  /** The first page, which opens the link. */
  openTitle: string;
  openText: string;
  openOnce: string;
  openButton: string;

  /** The list of steps on each page. */
  stepsLabel: string;
  progress: (step: number, steps: number) => string;
  back: string;
  next: string;

  providerTitle: string;
  providerText: (directory: string) => string;
  providerMissing: string;
  otherProvider: string;
  faultPrefix: string;

  inProvider: (provider: string) => string;
  createToken: string;
  /** Beside the button, when a token was created before. */
  replaceToken: string;
  tokenBelow: string;
  tokenElsewhere: string;
  yourToken: string;
  tokenOnce: string;
  notesTitle: string;

  mappingTitle: string;
  mappingText: string;
  mappingSave: string;
  mappingRefused: string;
  mappingChanged: string;

  rolesTitle: string;
  rolesText: string;
  /** Of a group whose members get none. */
  rolesNone: string;
  rolesNoGroups: string;
  rolesMore: (shown: number) => string;
  rolesPreview: string;
  rolesSave: string;
  rolesSaved: string;
  rolesEffectTitle: string;
  rolesEffect: (gained: number, lost: number) => string;
  rolesNoEffect: string;
  rolesPartial: (users: number) => string;
  rolesChanged: string;
  rolesTooMany: string;

  checkTitle: string;
  checkText: string;
  checks: { request: string; user: string; group: string };
  seen: string;
  notSeen: string;
  /** When groups are not needed. */
  groupOptional: string;
  otherRecognized: (recognized: string, chosen: string) => string;
  refusedTitle: string;
  refusedText: string;
  times: (count: number) => string;
  refreshing: (seconds: number) => string;
  stopRefreshing: string;
  startRefreshing: string;
  checkAgain: string;
  finish: string;
  finishLater: (until: string) => string;

  doneTitle: string;
  doneText: string;

  gone: NoticeTexts;
  notFound: NoticeTexts;
  forbidden: NoticeTexts;
  tooMany: NoticeTexts;
  unreadable: NoticeTexts;
  failed: NoticeTexts;
}
