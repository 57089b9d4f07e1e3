import { type GuideWords, type StepKind } from '../guide.types.js';

/** Why a request was refused, as far as an administrator can change it. */
export const ADVICE_CODES = [
  'token',
  'forbidden',
  'duplicate',
  'filter',
  'value',
  'syntax',
  'readOnly',
  'address',
  'tooLarge',
  'tooMany',
  'server',
  'other',
] as const;
export type AdviceCode = (typeof ADVICE_CODES)[number];

/** Sentences of guides. Names are in `**`, values in backticks. */
export interface GuideTexts {
  steps: Readonly<Record<StepKind, string>>;
  open: (path: string) => string;
  press: (button: string) => string;
  find: (name: string) => string;
  /** Followed by the value. */
  enter: (field: string) => string;
  choose: (field: string, option: string) => string;
  turnOn: (names: string) => string;
  /** Followed by the permissions. */
  review: string;
  address: string;
  token: string;
  advice: Readonly<Record<AdviceCode, (words: GuideWords) => string>>;
}
