/**
 * A guide as data: what to do in the administration of a provider, with the exact names that it shows.
 * Names stay as they are in every language; sentences come from the texts.
 */

export type GuideLanguage = 'en' | 'de' | 'fr' | 'es';

export type Translated = Readonly<Record<GuideLanguage, string>>;

/** The value of a field: the SCIM address, the token, or a fixed text. */
export type FieldValue = { is: 'address'; suffix?: string } | { is: 'token' } | { text: string };

/** A permission as the provider shows it, and as the application asks for it. */
export interface Permission {
  name: string;
  scope: string;
}

export type Instruction =
  /** A path through menus and tabs. */
  | { do: 'open'; path: readonly string[] }
  /** A button or link. */
  | { do: 'press'; button: string }
  /** An application of a catalog. */
  | { do: 'find'; name: string }
  | { do: 'enter'; field: string; value: FieldValue }
  | { do: 'choose'; field: string; option: string }
  | { do: 'turnOn'; names: readonly string[] }
  /** Permissions that the application requests. */
  | { do: 'review'; permissions: readonly Permission[] }
  /** A button below these permissions. */
  | { do: 'grant'; permissions: readonly Permission[]; button: string }
  /** A sentence, with names in `**`. */
  | { do: 'say'; text: Translated };

export type StepKind =
  'app' | 'connect' | 'attributes' | 'people' | 'start' | 'account' | 'consent';

export interface GuideStep {
  kind: StepKind;
  instructions: readonly Instruction[];
}

/** The names that advice about refused requests refers to. */
export interface GuideWords {
  address: string;
  token: string;
  /** Where attributes are mapped. */
  mapping: string;
  /** Where a refused change is sent again. */
  retry: string;
}

interface AnyGuide {
  id: GuideId;
  name: string;
  /** The type of a directory for it. */
  type: string;
  steps: readonly GuideStep[];
  /** Notes about the provider for the time of the setup. */
  notes: readonly Translated[];
  /** How the provider behaves, for developers: in the documentation only. */
  behavior: readonly string[];
}

/** The provider sends requests. */
export interface ScimGuide extends AnyGuide {
  kind: 'scim';
  words: GuideWords;
}

/** The provider is read, after a consent. */
export interface PullGuide extends AnyGuide {
  kind: 'pull';
}

export type Guide = ScimGuide | PullGuide;

export const GUIDE_IDS = [
  'okta',
  'entra',
  'onelogin',
  'jumpcloud',
  'ping',
  'rippling',
  'google',
  'entra-graph',
  'other',
] as const;
export type GuideId = (typeof GUIDE_IDS)[number];
