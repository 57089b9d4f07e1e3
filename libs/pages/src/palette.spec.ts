import { readFileSync } from 'node:fs';
import { accentFault, accentStylesheet } from './palette.js';

const DARK_SURFACE = '#18201e';

function colorIn(sheet: string, name: string): string {
  return new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(sheet)?.[1] ?? '';
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one = '', other = ''): number {
  const [darker = 0, lighter = 0] = [one, other].map(luminance).sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const channel = (from: number) => {
    const share = parseInt(color.slice(from, from + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

describe('the accent of a theme', () => {
  it.each(['#0b5d4e', '#1d4ed8', '#000000', '#7a0019', '#B00020'])('may be %s', (accent) => {
    expect(accentFault(accent)).toBeUndefined();
  });

  it.each(['#ffcc00', '#ffffff', '#7f8c8d'])('is refused for its contrast: %s', (accent) => {
    expect(accentFault(accent)).toMatch(/contrast of 4\.5 .* it has [1-4]\.?\d?$/);
  });

  it.each(['red', '#fff', '#12345', '#0b5d4e;}', 'url(x)'])('is no color: %s', (accent) => {
    expect(accentFault(accent)).toContain('must be a color');
  });

  it.each(['#0b5d4e', '#1d4ed8', '#000000', '#7a0019'])(
    'has colors with enough contrast on light and on dark pages: %s',
    (accent) => {
      const [light = '', dark = ''] = accentStylesheet(accent).split('@media');
      expect(colorIn(light, 'accent')).toBe(accent);
      for (const sheet of [light, dark]) {
        const [text, soft, onAccent] = ['accent', 'accent-soft', 'on-accent'].map((name) =>
          colorIn(sheet, name),
        );
        expect(contrast(text, soft)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(onAccent, text)).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(colorIn(dark, 'accent'), DARK_SURFACE)).toBeGreaterThanOrEqual(7);
    },
  );

  it('has its contrast to the dark surface of pages.css', () => {
    const css = readFileSync(new URL('./pages.css', import.meta.url), 'utf8');
    expect(colorIn(css.slice(css.indexOf('prefers-color-scheme: dark')), 'surface')).toBe(
      DARK_SURFACE,
    );
  });
});
