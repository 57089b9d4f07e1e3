import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { FIND_SETTINGS, STORE_SETTINGS } from './run.sql.js';
import { withDefaults, type WorkspaceSettings } from './settings.types.js';

/** Settings of workspace directories; what a directory has not set has its default. */
export class SettingsRepository {
  constructor(private readonly sql: Sql) {}

  async find(directoryId: string, sql: SqlExecutor = this.sql): Promise<WorkspaceSettings> {
    type Row = { settings: Partial<WorkspaceSettings> };
    const [row] = await sql.rows<Row>(FIND_SETTINGS, [directoryId]);
    return withDefaults(row?.settings);
  }

  async store(directoryId: string, settings: WorkspaceSettings, sql: SqlExecutor): Promise<void> {
    await sql.rows(STORE_SETTINGS, [directoryId, settings]);
  }
}
