import { prefersJson, prefersPage } from './negotiation.js';

const CHROMIUM =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('negotiation', () => {
  it.each([
    [undefined, false, false],
    ['*/*', false, false],
    [CHROMIUM, false, true],
    ['application/json', true, false],
    ['application/json, text/html;q=0.9', true, false],
    ['text/html, application/json;q=0.9', false, true],
    ['application/json;q=0', false, false],
    ['application/problem+json', true, false],
    ['text/html;q=nonsense, application/json;q=0.1', true, false],
  ])('%s: JSON %s, page %s', (accept, json, page) => {
    expect(prefersJson(accept)).toBe(json);
    expect(prefersPage(accept)).toBe(page);
  });
});
