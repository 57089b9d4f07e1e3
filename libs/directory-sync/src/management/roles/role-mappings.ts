/** Role mappings of directories: which roles the groups of an identity provider give to users. */
import { adminEventOf } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { isUuid } from '@gatehouse/kit/ids';
import { LIBRARY_CALL } from '../../audit/audit-table.js';
import { findMapping, listRules, storeMapping } from '../../roles/role.repository.js';
import {
  type MappingState,
  type RoleMapping,
  type RoleMappingView,
  type RolePreview,
} from '../../roles/role.types.js';
import { notFound } from '../../sync.errors.js';
import { changeRoles, previewRoles, type RoleChangesContext } from './role-changes.js';
import { readRoleMapping } from './role-mapping.input.js';

const PREVIEW_BUDGET_MS = 8_000;
const NONE: RoleMapping = { default_role: null, mode: 'all', rules: [] };

/** The `roleMappings` operations of the controller object. */
export class RoleMappings {
  constructor(private readonly context: RoleChangesContext) {}

  /** The mapping of a directory, and how far it is applied. 404 if it has none. */
  async get(directoryId: string): Promise<RoleMappingView> {
    await this.require(directoryId);
    return this.view(directoryId);
  }

  /**
   * Sets the whole mapping. Users get the roles of a large directory in the background; changes of
   * groups have the roles of the new rules at once.
   */
  async put(
    directoryId: string,
    mapping: unknown,
    call: CallContext = LIBRARY_CALL,
  ): Promise<RoleMappingView> {
    const read = readRoleMapping(mapping);
    const details = { rules: read.rules.length };
    await this.store(directoryId, read, 'applying', { type: CHANGED, details }, call);
    return this.view(directoryId);
  }

  /** Takes all roles away, with the events of it; then the directory has no mapping. */
  async delete(directoryId: string, call: CallContext = LIBRARY_CALL): Promise<null> {
    await this.require(directoryId);
    if (!(await findMapping(this.context.sql, directoryId))) throw noMapping();
    await this.store(directoryId, NONE, 'removing', { type: DELETED }, call);
    return null;
  }

  /** Previews a mapping without changing anything, and without blocking other requests. */
  async preview(directoryId: string, mapping: unknown): Promise<RolePreview> {
    const read = readRoleMapping(mapping);
    await this.require(directoryId);
    return previewRoles(
      this.context.sql,
      directoryId,
      () => Promise.resolve(read),
      PREVIEW_BUDGET_MS,
    );
  }

  private async store(
    directoryId: string,
    mapping: RoleMapping,
    state: MappingState,
    change: { type: string; details?: { rules: number } },
    call: CallContext,
  ): Promise<void> {
    if (!isUuid(directoryId)) throw absent();
    const event = adminEventOf({ ...change, targetId: directoryId }, call);
    const isKnown = await changeRoles(this.context, directoryId, async (sql) => {
      await storeMapping(sql, directoryId, mapping, state);
      return event;
    });
    if (!isKnown) throw absent();
  }

  private async view(directoryId: string): Promise<RoleMappingView> {
    const { sql } = this.context;
    const stored = await findMapping(sql, directoryId);
    if (!stored) throw noMapping();
    const { default_role, mode, updated_at, applied_at, ...progress } = stored;
    return {
      default_role,
      mode,
      rules: await listRules(sql, directoryId),
      progress: {
        ...progress,
        updated_at: updated_at.toISOString(),
        applied_at: applied_at?.toISOString() ?? null,
      },
    };
  }

  private async require(id: string): Promise<void> {
    const directory = isUuid(id) ? await this.context.directories.access(id) : undefined;
    if (!directory) throw absent();
  }
}

const CHANGED = 'directory.role_mapping_changed';
const DELETED = 'directory.role_mapping_deleted';

const absent = () => notFound('Directory not found.');
const noMapping = () => notFound('The directory has no role mapping.');
