/** Texts of the setup pages. What is done in a provider comes from its guide. */

interface NoticeTexts {
  title: string;
  text: string;
}

export interface SetupTexts {
  /** The first page, which opens the link. */
  openTitle: string;
  /** @param application its name, if it is known */
  openText: (application?: string) => string;
  openTime: string;
  openOnce: string;
  openButton: string;

  /** The list of steps on each page. */
  stepsLabel: string;
  progress: (step: number, steps: number) => string;
  back: string;
  next: string;
  skip: string;
  /** Of error pages. */
  toSetup: string;

  providerTitle: string;
  providerText: (directory: string) => string;
  providerMissing: string;
  otherProvider: string;
  faultPrefix: string;

  inProvider: (provider: string) => string;
  /** A provider whose name is not known, after "in". */
  yourProvider: string;
  createToken: string;
  /** Beside the button, when a token was created before. */
  replaceToken: string;
  /** Both with the name of the field into which it belongs. */
  tokenBelow: (field: string) => string;
  tokenElsewhere: (field: string) => string;
  yourToken: string;
  tokenOnce: string;
  notesTitle: string;

  mappingTitle: string;
  mappingText: string;
  mappingSave: string;
  mappingRefused: string;
  mappingChanged: string;

  groupsTitle: string;
  groupsText: string;
  groupsQuestion: string;
  groupsAll: string;
  groupsSome: string;
  groupsNames: string;
  groupsSave: string;
  groupsRefused: string;
  /** All groups were chosen, and groups were named. */
  groupsBoth: string;
  groupsChanged: string;
  /** Once something was read. */
  groupsLater: string;

  rolesTitle: string;
  rolesText: string;
  /** Choice for a group whose members get no role. */
  rolesNone: string;
  rolesNoGroups: string;
  rolesMore: (shown: number) => string;
  rolesPreview: string;
  rolesSave: string;
  rolesSaveAndFinish: string;
  rolesFinishOnly: string;
  rolesSaved: string;
  rolesEffectTitle: string;
  /** Both before the name of the role. */
  rolesGained: (users: number) => string;
  rolesLost: (users: number) => string;
  rolesNoEffect: string;
  rolesPartial: (users: number) => string;
  rolesChanged: string;
  rolesTooMany: string;

  checkTitle: string;
  checkText: string;
  checks: { request: string; user: string; group: string };
  seen: string;
  seenRefused: string;
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

  workspace: WorkspaceTexts;

  doneTitle: string;
  /** @param provider if its name is known */
  connected: (directory: string, provider?: string) => string;
  doneText: string;

  gone: NoticeTexts;
  /** The answer of a provider to a consent that this browser did not begin. */
  foreign: NoticeTexts;
  notFound: NoticeTexts;
  forbidden: NoticeTexts;
  tooMany: NoticeTexts;
  unreadable: NoticeTexts;
  failed: NoticeTexts;
}

/** Texts of directories that are read with the consent of an administrator. */
export interface WorkspaceTexts {
  /** On the first step: of which organization, if that is known. */
  accountOf: (domain: string) => string;
  continueTo: (company: string) => string;
  /** Beside the button, when consent was given before. */
  consentAgain: string;
  /** Why nothing was connected, and what to do, by outcome. */
  problems: Readonly<Record<ConsentProblem, string>>;

  checkText: (provider: string) => string;
  checks: { consent: string; users: string; groups: string };
  given: string;
  /** `number` as the language writes it. */
  read: (number: string) => string;
  /** Instead of a number, if nothing has changed since the run before. */
  same: string;
  /** When the administrator chose groups. */
  noneFound: string;
  /** Progress texts of a run, by its state. */
  run: {
    queued: string;
    listing: string;
    applying: string;
    held: string;
    failed: string;
    discarded: string;
    /** With the reason below. */
    paused: string;
    unchanged: string;
    succeeded: string;
  };
  whatToDo: { consent: string; account: string };
  toConsent: string;
  finishLater: (until: string) => string;
}

/** Outcomes of a consent that connected nothing. */
export const CONSENT_PROBLEMS = [
  'refused',
  'expired',
  'unanswered',
  'incomplete',
  'wrong_account',
  'failed',
] as const;
export type ConsentProblem = (typeof CONSENT_PROBLEMS)[number];
