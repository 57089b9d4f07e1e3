/** The sentences of a guide in one language. */
import {
  type FieldValue,
  type GuideLanguage,
  type GuideStep,
  type Instruction,
  type Permission,
} from './guide.types.js';
import { ENGLISH } from './texts/english.js';
import { FRENCH } from './texts/french.js';
import { GERMAN } from './texts/german.js';
import { type GuideTexts } from './texts/guide-texts.js';
import { SPANISH } from './texts/spanish.js';

const TEXTS: Readonly<Record<GuideLanguage, GuideTexts>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
};

export function guideTexts(language: GuideLanguage): GuideTexts {
  return TEXTS[language];
}

export function stepTitle({ kind }: GuideStep, language: GuideLanguage): string {
  return TEXTS[language].steps[kind];
}

/** An instruction as a sentence, with names in `**`. */
export interface Sentence {
  text: string;
  /** Follows it, to be copied. */
  value?: FieldValue;
  /** Follow it, as a list. */
  permissions?: readonly Permission[];
}

export function sentenceOf(instruction: Instruction, language: GuideLanguage): Sentence {
  const texts = TEXTS[language];
  switch (instruction.do) {
    case 'open':
      return { text: texts.open(instruction.path.map(strong).join(' > ')) };
    case 'press':
    case 'grant':
      return { text: texts.press(strong(instruction.button)) };
    case 'find':
      return { text: texts.find(strong(instruction.name)) };
    case 'enter':
      return { text: texts.enter(strong(instruction.field)), value: instruction.value };
    case 'choose':
      return { text: texts.choose(strong(instruction.field), strong(instruction.option)) };
    case 'turnOn':
      return { text: texts.turnOn(instruction.names.map(strong).join(', ')) };
    case 'review':
      return { text: texts.review, permissions: instruction.permissions };
    case 'say':
      return { text: instruction.text[language] };
  }
}

/** A piece of a sentence: plain, a name that the provider shows, or a value. */
export interface Span {
  kind: 'plain' | 'name' | 'code';
  text: string;
}

export function spansOf(sentence: string): Span[] {
  return sentence
    .split(/(\*\*[^*]+\*\*|`[^`]+`)/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('**')) return { kind: 'name', text: part.slice(2, -2) };
      if (part.startsWith('`')) return { kind: 'code', text: part.slice(1, -1) };
      return { kind: 'plain', text: part };
    });
}

const strong = (name: string): string => `**${name}**`;
