import { accentFault, accentStylesheet } from './palette.js';

describe('the accent of a theme', () => {
  it.each(['#0b5d4e', '#1d4ed8', '#000000', '#7a0019', '#B00020'])('may be %s', (accent) => {
    expect(accentFault(accent)).toBeUndefined();
  });

  it.each(['#ffcc00', '#ffffff', '#7f8c8d'])('is refused for its contrast: %s', (accent) => {
    expect(accentFault(accent)).toMatch(/contrast of 4\.5 .* it has [1-4]\.?\d?$/);
  });

  it.each(['red', '#fff', '#12345', '#0b5d4e;}', 'url(x)'])('is no colour: %s', (accent) => {
    expect(accentFault(accent)).toContain('must be a colour');
  });

  it('is lightened for dark pages', () => {
    const sheet = accentStylesheet('#1d4ed8');
    expect(sheet).toContain('--accent: #1d4ed8');
    expect(sheet).not.toMatch(/NaN|undefined/);
    expect(sheet.match(/--accent: #[0-9a-f]{6};/g)).toHaveLength(2);
  });
});
