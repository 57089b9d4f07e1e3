/** Reads the members of workspace directories. */
import { type InputReader } from '@gatehouse/kit/input';
import { PROVIDERS } from '@gatehouse/workspace-providers';
import { type ConnectionSettings } from '../../connections/connection.types.js';

export const WORKSPACE_FIELDS = [
  'workspace_provider',
  'workspace_domain',
  'workspace_administrator',
];

const DOMAIN = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i;
const ADDRESS = /^[^\s@"<>\\]{1,64}@[^\s@"<>\\]{1,253}$/;
const TEXT = { max: 320 };

/** Null for a directory of another type, which must not have these members. */
export function readWorkspace(input: InputReader, isWorkspace: boolean): ConnectionSettings | null {
  input.allow(WORKSPACE_FIELDS);
  if (!isWorkspace) {
    refuseWorkspaceFields(input);
    return null;
  }
  const provider = input.oneOf('workspace_provider', PROVIDERS) ?? 'google';
  return checked(input, {
    provider,
    domain: domainOf(input),
    administrator: administratorOf(input),
  });
}

/** Undefined if nothing was sent; an empty text or null removes a value. */
export function readWorkspaceChanges(
  input: InputReader,
  current: ConnectionSettings | null,
  isSent: (name: string) => boolean,
): Omit<ConnectionSettings, 'provider'> | undefined {
  input.allow(WORKSPACE_FIELDS);
  if (!current) {
    refuseWorkspaceFields(input);
    return undefined;
  }
  if (isSent('workspace_provider') && input.raw('workspace_provider') !== current.provider) {
    input.addViolation('workspace_provider', 'cannot be changed', undefined);
  }
  const hasDomain = isSent('workspace_domain');
  const hasAdministrator = isSent('workspace_administrator');
  if (!hasDomain && !hasAdministrator) return undefined;
  return checked(input, {
    provider: current.provider,
    domain: hasDomain ? domainOf(input) : current.domain,
    administrator: hasAdministrator ? administratorOf(input) : current.administrator,
  });
}

/** At Entra ID, the tenant must be named, and an application reads in its own name. */
function checked(input: InputReader, settings: ConnectionSettings): ConnectionSettings {
  const { provider, domain, administrator } = settings;
  if (provider !== 'entra') return settings;
  if (domain === null) {
    const description = 'must be the Entra ID tenant: its id or one of its domains';
    input.addViolation('workspace_domain', description, undefined);
  }
  if (administrator !== null) {
    input.addViolation('workspace_administrator', 'is only for the provider google', undefined);
  }
  return settings;
}

function refuseWorkspaceFields(input: InputReader): void {
  for (const field of WORKSPACE_FIELDS) {
    if (input.isPresent(field)) {
      input.addViolation(field, 'is only for directories of the type workspace', undefined);
    }
  }
}

function domainOf(input: InputReader): string | null {
  const domain = input.text('workspace_domain', TEXT);
  if (domain === '') return null;
  if (DOMAIN.test(domain)) return domain.toLowerCase();
  return input.addViolation('workspace_domain', 'must be a domain such as "example.com"', null);
}

function administratorOf(input: InputReader): string | null {
  const administrator = input.text('workspace_administrator', TEXT);
  if (administrator === '' || ADDRESS.test(administrator)) return administrator || null;
  return input.addViolation('workspace_administrator', 'must be an email address', null);
}
