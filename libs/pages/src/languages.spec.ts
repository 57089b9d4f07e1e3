import { pickLanguage } from './languages.js';

describe('pickLanguage', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,en;q=0.8', 'de'],
    ['it, fr;q=0.9, de;q=0.95', 'de'],
    ['fr;q=0, es;q=0.1', 'es'],
    ['*', 'en'],
    ['pt, *;q=0.5, fr;q=0.4', 'en'],
    ['FR-ca', 'fr'],
    [';;;,,q=1', 'en'],
    ['de;q=abc', 'en'],
  ])('%j is %s', (header, language) => {
    expect(pickLanguage(header)).toBe(language);
  });
});
