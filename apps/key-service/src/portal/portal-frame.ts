/** The frame of all portal pages. */
import {
  attributes,
  type Html,
  type Language,
  layout,
  markup,
  type SiteFrame,
  utcTime,
  type VisitFrame,
} from '@gatehouse/pages';
import { type DomainError } from '@gatehouse/kit/errors';
import { KeyErrors } from '../errors.js';
import { type KeyRecord } from '../store/keys/key.record.js';
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

/** The name of a key, or the start and the end of its secret for one without a name. */
export function nameOf({ name, keyPreview }: KeyRecord): Html {
  return name === '' ? previewOf(keyPreview) : written(name);
}

export function previewOf(keyPreview: string): Html {
  return markup`<code translate="no">${keyPreview}</code>`;
}

export function timeOf(language: Language, time: Date): Html {
  return markup`<time${attributes({ datetime: time.toISOString() })}>${utcTime(language, time)}</time>`;
}

/** Which limit a session has reached. */
export function limitText(language: Language, { code, metadata }: DomainError): string {
  const texts = portalTexts(language);
  const limit = metadata['limit'] ?? '';
  return code === KeyErrors.PORTAL_KEYS_LIMIT_REACHED.code
    ? texts.keysLimit(limit)
    : texts.newKeysLimit(limit);
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
