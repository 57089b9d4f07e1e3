/** The colors of a page from one accent color, each with enough contrast (WCAG 2.2, 1.4.3). */

const CONTRAST_MIN = 4.5;
const WHITE: Color = [255, 255, 255];
const BLACK: Color = [0, 0, 0];
/** The surface of the dark page, `--surface` in pages.css. */
const DARK_SURFACE: Color = [0x18, 0x20, 0x1e];
const DARK_CONTRAST = 7;
const SOFT = 0.92;

type Color = readonly [red: number, green: number, blue: number];

/** Why a color cannot be the accent; undefined if it can. */
export function accentFault(text: string): string | undefined {
  const color = colorOf(text);
  if (!color) return 'must be a color such as #0b5d4e';
  const contrast = contrastOf(color, mix(color, WHITE, SOFT));
  if (contrast >= CONTRAST_MIN) return undefined;
  const found = Math.floor(contrast * 10) / 10;
  return `must have a contrast of ${CONTRAST_MIN} to the page, to be readable; it has ${found}`;
}

/** The stylesheet that replaces the accent of pages.css. @param accent without a fault */
export function accentStylesheet(accent: string): string {
  const light = colorOf(accent) ?? BLACK;
  let dark = light;
  while (contrastOf(dark, DARK_SURFACE) < DARK_CONTRAST) dark = mix(dark, WHITE, 0.05);
  return `:root {
  --accent: ${hex(light)};
  --accent-strong: ${hex(mix(light, BLACK, 0.25))};
  --accent-soft: ${hex(mix(light, WHITE, SOFT))};
  --on-accent: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --accent: ${hex(dark)};
    --accent-strong: ${hex(mix(dark, WHITE, 0.3))};
    --accent-soft: ${hex(mix(dark, DARK_SURFACE, 0.85))};
    --on-accent: #0b1210;
  }
}
`;
}

function colorOf(text: string): Color | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (!match) return undefined;
  return [match[1], match[2], match[3]].map((part) => parseInt(part ?? '', 16)) as unknown as Color;
}

/** `share` of the second color. */
function mix(one: Color, other: Color, share: number): Color {
  const part = (index: 0 | 1 | 2) => one[index] + (other[index] - one[index]) * share;
  return [part(0), part(1), part(2)];
}

function hex(color: Color): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function contrastOf(one: Color, other: Color): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Relative luminance, as WCAG defines it. */
function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
