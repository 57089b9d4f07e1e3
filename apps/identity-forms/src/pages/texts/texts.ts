/** Texts of the pages. Labels and hints come from the schema, errors from the decoder. */

export interface PageTexts {
  signUpTitle: string;
  profileTitle: string;
  signUpButton: string;
  profileButton: string;
  faultPrefix: string;
  faultsHeading: string;
  optional: string;
  choose: string;
  yes: string;
  no: string;
  /** The button that adds the first row, and the one that adds a further row. */
  addFirst: string;
  addMore: string;
  /** The same, where an entry has a title. */
  addFirstNamed: (title: string) => string;
  addMoreNamed: (title: string) => string;
  remove: string;
  removeRow: (label: string) => string;
  onlyIf: (label: string, values: string) => string;
  doneSignUp: { title: string; text: string };
  doneProfile: { title: string; text: string };
  expired: { title: string; text: string };
  used: { title: string; text: string };
  elsewhere: { title: string; text: string };
  notFound: { title: string; text: string };
  forbidden: { title: string; text: string };
  tooLarge: { title: string; text: string };
  tooMany: { title: string; text: string };
  unreadable: { title: string; text: string };
  failed: { title: string; text: string };
  haveAccount: string;
  signIn: string;
  /** The links to the next page, on pages without a form. */
  goOn: string;
  goBack: string;
  startAgain: string;
}

/** A title within a sentence: its first letter small, unless it is an abbreviation or a name. */
export function inSentence(title: string): string {
  return /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}
