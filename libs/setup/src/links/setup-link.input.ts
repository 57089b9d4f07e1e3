/** Reads what callers send to create setup links. */
import { PublicAddress } from '@gatehouse/pages';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader } from '@gatehouse/kit/input';
import { type ProviderName } from '@gatehouse/workspace-providers';
import {
  type ConnectionSettings,
  type NewDirectory,
  isAttributeName,
  MAPPED_ATTRIBUTES_MAX,
  newType,
  scopeText,
  STRICT,
  violationMessage,
  ROLE_CHARACTERS_MAX,
  readWorkspace,
  WORKSPACE_FIELDS,
} from '@gatehouse/directory-sync/parts';
import { SETUP_ACTIONS, SETUP_LOCALES, type SetupAction, type SetupLocale } from './setup.types.js';

/** The input of `setupLinks.create`: of a directory, or of a new one for a tenant and product. */
export interface NewSetupLinkInput {
  directory_id?: string;
  tenant?: string;
  product?: string;
  name?: string;
  /** Type of a new directory, as in `directories.create`. */
  type?: string;
  workspace_provider?: ProviderName;
  workspace_domain?: string;
  /** How long the link can be opened: from ten minutes to 30 days, 7 days by default. */
  expires_in?: string;
  /** How long the session lasts: from ten minutes to 7 days, 24 hours by default. */
  session_expires_in?: string;
  return_url?: string;
  /** Actions: `token` by default; for a workspace directory none, or `groups` and `roles`. */
  allow?: SetupAction[];
  /** The custom attributes that `mapping` offers; by default those that the directory maps. */
  attributes?: string[];
  /** The roles that `roles` offers for groups. */
  roles?: string[];
  /** The language of the pages; that of the browser by default. */
  locale?: SetupLocale;
}

/** Null: a directory of another type. */
type Workspace = ConnectionSettings | null;

export type ReadSetupLink = ReturnType<typeof readNewSetupLink>;

const TEXT = { max: 512 };
const ROLES_MAX = 20;
const DAY_SECONDS = 86_400;
const SECONDS_MIN = 600;
const TTL = { fallback: 7 * DAY_SECONDS, max: 30 * DAY_SECONDS };
const SESSION = { fallback: DAY_SECONDS, max: 7 * DAY_SECONDS };

/**
 * @param allowedReturnUrls empty: every https address
 * @throws DomainError 400
 */
export function readNewSetupLink(json: unknown, allowedReturnUrls: readonly string[]) {
  const input = InputReader.of(json, STRICT);
  const directoryId = input.optionalText('directory_id', TEXT);
  if (directoryId !== undefined && !isUuid(directoryId)) {
    input.addViolation('directory_id', 'must be the id of a directory', undefined);
  }
  const isNew = !input.isPresent('directory_id');
  for (const field of ['tenant', 'product', 'name', 'type', ...WORKSPACE_FIELDS]) {
    if (!isNew && input.isPresent(field)) {
      input.addViolation(field, 'cannot be sent with directory_id', undefined);
    }
  }
  const directory = isNew ? newDirectoryOf(input) : undefined;
  const read = {
    directoryId,
    directory,
    ttlSeconds: secondsOf(input, 'expires_in', TTL),
    sessionSeconds: secondsOf(input, 'session_expires_in', SESSION),
    returnUrl: returnUrlOf(input, allowedReturnUrls),
    allow: actionsOf(input),
    attributes: attributesOf(input),
    roles: rolesOf(input),
    locale: input.oneOf('locale', SETUP_LOCALES) ?? null,
  };
  const offersRoles = read.allow?.includes('roles') ?? false;
  if (offersRoles && read.roles.length === 0) {
    input.addViolation('roles', 'is required with roles in allow', undefined);
  } else if (!offersRoles && read.roles.length > 0) {
    input.addViolation('roles', 'requires roles in allow', undefined);
  }
  input.throwIfInvalid();
  return read;
}

/** By the rules of `directories.create`. */
function newDirectoryOf(input: InputReader): { fields: NewDirectory; workspace: Workspace } {
  const type = newType(input);
  const scope = { tenant: scopeText(input, 'tenant'), product: scopeText(input, 'product') };
  const fields = { ...scope, name: input.text('name', TEXT) };
  const workspace = readWorkspace(input, type === 'workspace');
  if (!workspace) {
    return { fields: input.isPresent('type') ? { ...fields, type } : fields, workspace };
  }
  if (workspace.administrator !== null) {
    const description = 'must be unset: a service account reads without consent, so needs no link';
    input.addViolation('workspace_administrator', description, undefined);
  }
  const { provider, domain } = workspace;
  const named = domain === null ? {} : { workspace_domain: domain };
  return { fields: { ...fields, type, workspace_provider: provider, ...named }, workspace };
}

function secondsOf(
  input: InputReader,
  field: string,
  { fallback, max }: { fallback: number; max: number },
): number {
  const seconds = input.duration(field, { max }) ?? fallback;
  return seconds < SECONDS_MIN
    ? input.addViolation(field, 'must be at least ten minutes', fallback)
    : seconds;
}

function returnUrlOf(input: InputReader, allowed: readonly string[]): string | null {
  const text = input.text('return_url', { max: 2_048 });
  if (text === '') return null;
  if (allowed.length === 0) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isSafe = url?.protocol === 'https:' && url.username === '' && url.password === '';
    if (isSafe) return url.href;
    return input.addViolation('return_url', 'must be an https address without credentials', null);
  }
  return new PublicAddress({ allowedReturnUrls: allowed }).checkReturnUrl('return_url', text);
}

/** Undefined: what fits the directory. */
function actionsOf(input: InputReader): SetupAction[] | undefined {
  if (!input.isPresent('allow')) return undefined;
  const sent = input.list('allow', { max: SETUP_ACTIONS.length });
  const isKnown = (action: unknown) => SETUP_ACTIONS.includes(action as SetupAction);
  if (sent.every(isKnown)) return [...new Set(sent as SetupAction[])];
  const description = `must be a list of ${SETUP_ACTIONS.join(', ')}`;
  return input.addViolation('allow', description, []);
}

/** Undefined: those that the directory maps. */
function attributesOf(input: InputReader): string[] | undefined {
  if (!input.isPresent('attributes')) return undefined;
  const sent = input.list('attributes', { max: MAPPED_ATTRIBUTES_MAX });
  const isName = (name: unknown) => typeof name === 'string' && isAttributeName(name);
  if (sent.every(isName)) return [...new Set(sent as string[])];
  return input.addViolation('attributes', 'must be a list of attribute names', []);
}

/** Names as in a role mapping. */
function rolesOf(input: InputReader): string[] {
  const sent = input.list('roles', { max: ROLES_MAX });
  const names = sent.map((role, index) => {
    const field = `roles[${index}]`;
    const item = InputReader.of({ [field]: role }, { message: violationMessage });
    const name = item.requiredText(field, { max: ROLE_CHARACTERS_MAX }).trim();
    if (name === '') item.addViolation(field, 'must be the name of a role', '');
    item.throwIfInvalid();
    return name;
  });
  return [...new Set(names)];
}
