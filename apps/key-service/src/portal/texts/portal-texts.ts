import { type KeyStatus } from '@gatehouse/schemas';
import { type Notice } from '@gatehouse/pages';

/** The sentences of the portal in one language. */
export interface PortalTexts {
  title: string;
  openText: string;
  openOnce: string;
  openButton: string;

  listText: string;
  empty: string;
  more: string;
  create: string;
  back: string;
  until: (time: string) => string;

  statuses: Record<KeyStatus, string>;
  status: string;
  created: string;
  lastUsed: string;
  never: string;
  expires: string;
  noExpiry: string;
  preview: string;
  scopes: string;
  noScopes: string;
  scopesHint: string;
  limits: string;

  newTitle: string;
  name: string;
  nameHint: string;
  nameFault: string;
  faultPrefix: string;

  secretTitle: string;
  secretOnce: string;
  secretGone: string;
  /** What to do about a lost secret, in the words of what the session allows. */
  lostReplace: string;
  lostCreate: string;

  usageTitle: (days: number) => string;
  usageNone: string;
  usageAccepted: string;
  usageRefused: string;
  usageDay: string;
  /** Opens the table of the plot. */
  usageTable: string;
  /** Text alternative of the plot. */
  usageLabel: (highest: string) => string;

  rotateTitle: string;
  rotateText: string;
  rotateNow: string;
  rotateLater: string;
  rotateOther: string;
  revokeTitle: string;
  revokeText: string;
  revoke: string;
  revokeQuestion: string;
  revokeUndo: string;
  /** On the page of a key that was revoked within the hour. */
  revoked: string;
  replaceQuestion: string;
  replaceText: string;
  replace: string;
  /** Beside the new secret, when the key before it was replaced at once. */
  replaced: string;
  cancel: string;
  keysLimit: (max: string) => string;
  /** After `keysLimit`, where the session may revoke keys. */
  keysLimitRevoke: string;
  newKeysLimit: (max: string) => string;

  gone: Notice;
  notFound: Notice;
  forbidden: Notice;
  conflict: Notice;
  tooMany: Notice;
  unreadable: Notice;
  failed: Notice;
}
