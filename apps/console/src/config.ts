import {
  asDurationSeconds,
  asList,
  asText,
  Derived,
  Env,
  IsKeyRing,
  Secret,
} from '@gatehouse/kit/settings';
import { ClientsConfig } from '@gatehouse/nest-kit/admin';
import { ServiceConfig } from '@gatehouse/nest-kit/config';
import { IsWebAddress, type Theme, ThemeConfig } from '@gatehouse/pages';
import {
  IsOptional,
  Max,
  Min,
  Validate,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { type Role, type RoleGroups, ROLES } from './roles.js';

@ValidatorConstraint({ name: 'roleGroups' })
class AreRoleGroups implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return Array.isArray(value) && value.every(([role, group]) => isRole(role) && group !== '');
  }

  defaultMessage(): string {
    return `must list roles and groups, such as operator=platform; the roles are ${ROLES.join(', ')}`;
  }
}

const isRole = (text: unknown): text is Role => ROLES.some((role) => role === text);

function asRoleGroups(text: string): RoleGroups {
  return asList(text).map((entry) => {
    const [role = '', ...group] = entry.split('=');
    return [role.trim() as Role, group.join('=').trim()];
  });
}

/** How people sign in with OpenID Connect. Without an issuer, they sign in with a key. */
export class IdentityProviderConfig {
  @Env('CONSOLE_OIDC_ISSUER', 'The issuer of OpenID Connect that people sign in at', asText)
  @IsOptional()
  @Validate(IsWebAddress)
  issuer?: string;

  @Env('CONSOLE_OIDC_CLIENT_ID', 'The id of the console there')
  clientId = '';

  @Secret()
  @Env(
    'CONSOLE_OIDC_CLIENT_SECRET',
    'The secret of the console there; without one, it is a public client',
  )
  clientSecret = '';

  @Env('CONSOLE_OIDC_SCOPES', 'What the console asks for')
  scopes = 'openid profile email';

  @Env('CONSOLE_OIDC_GROUPS_CLAIM', 'The claim that lists the groups of a person')
  groupsClaim = 'groups';

  @Env(
    'CONSOLE_ROLES',
    'The groups of each role, comma-separated: `administrator=gatehouse-admins,viewer=*`, where `*` stands for ' +
      'everyone. People without a role are refused',
    asRoleGroups,
  )
  @Validate(AreRoleGroups)
  roles: RoleGroups = [];
}

/** Settings of the console. */
export class ConsoleConfig extends ServiceConfig {
  @Env(
    'CONSOLE_URL',
    'The address of the admin surface as browsers reach it; `https` makes cookies `Secure`. Without it, addresses ' +
      'use the Host of the request',
    asText,
  )
  @IsOptional()
  @Validate(IsWebAddress)
  publicUrl?: string;

  @Env(
    'GATEHOUSE_URL',
    'The admin surface, where the console calls the services; the small layout uses its own',
  )
  @Validate(IsWebAddress)
  gatehouseUrl = '';

  @Secret()
  @Env(
    'CONSOLE_ADMIN_KEY',
    'The key with which the console issues a key for each person who signs in with OpenID Connect: that of ' +
      'the key service, or an issued key with `keys:admin`, `dsync:admin` and `forms:admin`',
    asText,
    Derived.CONSOLE_ADMIN_KEY,
  )
  adminKey = '';

  @Secret()
  @Env(
    'CONSOLE_ENCRYPTION_KEYS',
    'Comma-separated, each at least 32 characters: the first encrypts the keys in sessions, all decrypt',
    asList,
    Derived.CONSOLE_ENCRYPTION_KEYS,
  )
  @Validate(IsKeyRing)
  encryptionKeys: string[] = [];

  @Env('CONSOLE_SESSION_TTL', 'How long a person stays signed in', asDurationSeconds)
  @Min(300)
  @Max(30 * 86_400)
  sessionTtlSeconds = 12 * 3_600;

  @Env('CONSOLE_IDLE_TIME', 'How long without a request', asDurationSeconds)
  // Requests extend a session once a minute.
  @Min(300)
  @Max(30 * 86_400)
  idleSeconds = 3_600;

  readonly provider = new IdentityProviderConfig();
  readonly clients = new ClientsConfig();
  readonly theme: Theme = new ThemeConfig();
}
