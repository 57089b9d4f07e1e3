/**
 * The roles that the administrator who has a setup link gives to groups: the roles of the link, to groups
 * that have arrived. All other rules of the mapping stay as they are.
 */
import { sha256 } from '@gatehouse/crypto';
import { adminEventOf } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
import { invalidField } from '@gatehouse/kit/input';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import {
  findMapping,
  listRules,
  storeMapping,
  type RoleMapping,
  type RolePreview,
  type RoleRule,
  SyncErrors,
  changeRoles,
  previewRoles,
  type RoleChangesContext,
  RULES_MAX,
} from '@gatehouse/directory-sync/parts';
import { type SetupRepository } from './setup.repository.js';
import { type SetupLink } from './setup.types.js';
import { callOf, enterSetup, sessionGone } from './setup-entry.js';

export interface SetupRoleChoices {
  /** Roles that the link offers. */
  roles: readonly string[];
  /** The first groups by name, with the role that each has by a rule of its own; empty: none. */
  groups: readonly { id: string; name: string; role: string }[];
  /** Whether there are more groups. */
  hasMore: boolean;
  /** ETag of the mapping that contains these. */
  etag: string;
}

/** Chosen roles: a role by group id, or an empty text for none. */
export type ChosenRoles = Readonly<Record<string, string>>;

export interface SetupRolesContext extends RoleChangesContext {
  setups: SetupRepository;
}

const GROUPS_SHOWN_MAX = 100;
/** Below that of administrators: anyone who has a link can ask for it. */
const PREVIEW_BUDGET_MS = 2_000;
const NONE: RoleMapping = { default_role: null, mode: 'all', rules: [] };

/**
 * The `setupRoles` operations of the controller object. All resolve to 410 without a session that is open,
 * and to 403 unless its link allows roles.
 */
export class SetupRoles {
  constructor(private readonly context: SetupRolesContext) {}

  async get(cookie: string): Promise<SetupRoleChoices> {
    const { link } = await enterSetup(this.context, cookie, 'roles');
    const { sql, setups } = this.context;
    const mapping = await mappingOf(sql, link.directoryId);
    const groups = await setups.groups(link.directoryId, GROUPS_SHOWN_MAX + 1);
    const ofId = new Map<string, string>();
    for (const rule of mapping.rules) {
      const id = groupOf(rule, link);
      if (id !== undefined && !ofId.has(id)) ofId.set(id, rule.role);
    }
    return {
      roles: link.roles,
      groups: groups
        .slice(0, GROUPS_SHOWN_MAX)
        .map(({ id, name }) => ({ id, name, role: ofId.get(id) ?? '' })),
      hasMore: groups.length > GROUPS_SHOWN_MAX,
      etag: etagOf(mapping),
    };
  }

  /** Previews a choice. One preview of a directory at a time; 429 for others. */
  async preview(cookie: string, chosen: ChosenRoles, etag: string): Promise<RolePreview> {
    const { link } = await enterSetup(this.context, cookie, 'roles');
    const { sql: pool, setups } = this.context;
    const mappingIn = async (sql: SqlExecutor) => {
      if (!(await setups.lockPreview(link.directoryId, sql))) {
        throw new DomainError(SyncErrors.SETUP_PREVIEW_RUNS);
      }
      return this.merged(link, chosen, etag, sql);
    };
    return previewRoles(pool, link.directoryId, mappingIn, PREVIEW_BUDGET_MS);
  }

  /** Stores a choice. 409 if the mapping was changed since `etag`, 400 if it would have too many rules. */
  async put(cookie: string, chosen: ChosenRoles, etag: string, call: CallContext): Promise<null> {
    const { link } = await enterSetup(this.context, cookie, 'roles');
    const { directoryId } = link;
    const isKnown = await changeRoles(this.context, directoryId, async (sql) => {
      if (!(await this.context.setups.lockSession(link.id, sql))) throw sessionGone();
      const merged = await this.merged(link, chosen, etag, sql);
      if (etagOf(merged) === etag) return undefined;
      await storeMapping(sql, directoryId, merged, 'applying');
      const details = { rules: merged.rules.length, link_id: link.id };
      const type = 'directory.role_mapping_changed';
      return adminEventOf({ type, targetId: directoryId, details }, callOf(link, call));
    });
    if (!isKnown) throw sessionGone();
    return null;
  }

  /** The mapping with the chosen rules in place of those that the pages show. */
  private async merged(
    link: SetupLink,
    chosen: ChosenRoles,
    etag: string,
    sql: SqlExecutor,
  ): Promise<RoleMapping> {
    const mapping = await mappingOf(sql, link.directoryId);
    if (etagOf(mapping) !== etag) throw new DomainError(SyncErrors.SETUP_MAPPING_CHANGED);
    const sent = Object.entries(Object(chosen) as ChosenRoles);
    if (sent.length > GROUPS_SHOWN_MAX) throw invalidField('groups', 'has too many entries');
    const ids = sent.map(([id]) => id).filter(isUuid);
    const known = await this.context.setups.knownGroups(link.directoryId, ids, sql);
    const wanted = new Map(sent.filter(([id]) => known.has(id)));
    for (const role of wanted.values()) {
      if (role !== '' && !link.roles.includes(role)) {
        throw invalidField('groups', 'contains a role that the link does not offer');
      }
    }
    const kept = mapping.rules.filter((rule) => {
      const id = groupOf(rule, link);
      const role = id === undefined ? undefined : wanted.get(id);
      if (id === undefined || role === undefined) return true;
      // In place, because the first of equal priority counts.
      if (role === rule.role) wanted.delete(id);
      return role === rule.role;
    });
    const added = [...wanted].filter(([, role]) => role !== '');
    const rules = [...kept, ...added.map(([id, role]) => ruleOf(id, role, mapping))];
    if (rules.length > RULES_MAX) throw invalidField('rules', `has more than ${RULES_MAX}`);
    return { ...mapping, rules };
  }
}

/** The group of a rule that the pages of a link show; undefined for other rules. */
function groupOf({ group, role }: RoleRule, { roles }: SetupLink): string | undefined {
  return 'id' in group && roles.includes(role) ? group.id : undefined;
}

/** As important as the other rules of the role. */
function ruleOf(id: string, role: string, { rules }: RoleMapping): RoleRule {
  const priority = rules.find((rule) => rule.role === role)?.priority ?? 0;
  return { group: { id }, role, priority };
}

/** The rules that apply now; none if the mapping is being removed. */
async function mappingOf(sql: SqlExecutor, directoryId: string): Promise<RoleMapping> {
  const stored = await findMapping(sql, directoryId);
  if (!stored || stored.state === 'removing') return NONE;
  const rules = await listRules(sql, directoryId);
  return {
    default_role: stored.default_role,
    mode: stored.mode,
    rules: rules.map(({ group, role, priority }) => ({ group, role, priority })),
  };
}

function etagOf({ default_role, mode, rules }: RoleMapping): string {
  const listed = rules.map(({ group, role, priority }) => [group, role, priority]);
  const text = JSON.stringify([default_role, mode, listed]);
  return sha256(text).toString('base64url').slice(0, 22);
}
