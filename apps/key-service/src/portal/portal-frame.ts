/** The frame of all portal pages. */
import {
  attributes,
  type Html,
  type Language,
  layout,
  markup,
  type SiteFrame,
  type VisitFrame,
} from '@gatehouse/pages';
import { type PortalSession } from '../store/portal/portal-session.js';
import { portalTexts } from './texts/texts.js';

export const KEYS_PATH = '/keys';
export const NEW_PATH = '/keys/new';

export type SessionFrame = VisitFrame<PortalSession>;

export function sessionPage(frame: SessionFrame, title: Html | string, content: Html): string {
  const texts = portalTexts(frame.language);
  return layout(
    { ...frame, title: texts.title, kind: 'portal' },
    markup`<h1>${title}</h1>
${content}`,
  );
}

export function link({ basePath }: SiteFrame, path: string, text: string, kind?: string): Html {
  return markup`<a${attributes({ class: kind, href: basePath + path })}>${text}</a>`;
}

/** A text that users wrote, whose direction does not turn what surrounds it. */
export function written(text: string): Html {
  return markup`<bdi translate="no">${text}</bdi>`;
}

export function timeOf(language: Language, time: Date): Html {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  const text = `${new Intl.DateTimeFormat(language, format).format(time)} UTC`;
  return markup`<time${attributes({ datetime: time.toISOString() })}>${text}</time>`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A length of time in the largest unit of which it is a whole number, such as "2 hours". */
export function lengthOf(language: Language, seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds % each === 0) ?? ['second', 1];
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language, format).format(seconds / size);
}
