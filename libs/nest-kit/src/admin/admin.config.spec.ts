import { type ConfigError, loadConfig } from '@gatehouse/kit/settings';
import { AdminConfig, AuditConfig } from './admin.config.js';

const faultsOf = (Config: new () => object, environment: Record<string, string>) => {
  try {
    loadConfig(Config, environment);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
};

it('takes no admin key that a header could not carry', () => {
  for (const key of ['clé'.repeat(8), 'two words of more than 24']) {
    const faults = faultsOf(AdminConfig, { ADMIN_API_KEYS: key });
    expect(faults).toContainEqual(expect.stringMatching(/^ADMIN_API_KEYS: .*visible ASCII/));
  }
});

it.each([
  ['0', []],
  ['7d', []],
  ['167h', ['AUDIT_TTL: must be 0, or at least 7d']],
])('keeps audit events for a week or more, or forever: AUDIT_TTL=%s', (value, expected) => {
  const faults = faultsOf(AuditConfig, { AUDIT_TTL: value });
  expect(faults.filter((fault) => fault.startsWith('AUDIT_TTL'))).toEqual(expected);
});
