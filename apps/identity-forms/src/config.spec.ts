import { type ConfigError, loadConfig } from '@gatehouse/kit/settings';
import { IdentityFormsConfig } from './config.js';

const faultOf = (name: string, value: string) => {
  try {
    loadConfig(IdentityFormsConfig, { [name]: value });
  } catch (error) {
    return (error as ConfigError).faults.find((fault) => fault.startsWith(`${name}: `));
  }
  throw new Error('the other settings are missing');
};

it.each([
  ['THEME_NAME', 'x'.repeat(80), 'x'.repeat(81), '80 characters'],
  ['THEME_ACCENT', '#0b5d4e', '#ffcc00', 'a contrast of 4.5'],
  ['THEME_LOGO_URL', 'https://example.com/a.svg', 'javascript:alert(1)', 'http or https address'],
  ['THEME_HOME_URL', 'https://example.com/', '/start', 'http or https address'],
  ['PUBLIC_URL', 'https://example.com/forms', 'https://example.com/?a=1', 'without query'],
  ['TIME_ZONE', 'Europe/Berlin', 'Moon/Base', 'must be a time zone'],
])('%s takes %s, and is refused for %s', (name, good, bad, message) => {
  expect(faultOf(name, good)).toBeUndefined();
  expect(faultOf(name, bad)).toContain(message);
});
