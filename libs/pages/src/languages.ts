/** The languages of pages. */
export type Language = 'en' | 'de' | 'fr' | 'es';

export const LANGUAGES: readonly Language[] = ['en', 'de', 'fr', 'es'];

/**
 * The supported language that an `Accept-Language` header prefers (RFC 9110 section 12.5.4), by
 * quality and then by order; English if it accepts none of them.
 */
export function pickLanguage(acceptLanguage: string | undefined): Language {
  let best: Language = 'en';
  let bestQuality = 0;
  for (const range of (acceptLanguage ?? '').slice(0, 1000).split(',')) {
    const [tag = '', ...parameters] = range.split(';');
    const primary = tag.trim().toLowerCase().split('-')[0];
    const language = primary === '*' ? 'en' : LANGUAGES.find((known) => known === primary);
    const weight = parameters.map((each) => each.trim()).find((each) => each.startsWith('q='));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    if (language !== undefined && quality > bestQuality) {
      best = language;
      bestQuality = quality;
    }
  }
  return best;
}
