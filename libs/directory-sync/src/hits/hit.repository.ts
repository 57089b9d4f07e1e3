import { type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import { foldCase, foldUserName } from '@gatehouse/scim';
import * as statements from './hit.sql.js';
import { type Hit } from './hit.types.js';

/** Finds records of all directories. Its statements run at once, each of them on a connection. */
export class HitRepository {
  constructor(private readonly sql: SqlExecutor) {}

  /** The records with an id, and the users and groups that have it at their provider. */
  async byId(id: string, limit: number): Promise<Hit[]> {
    const values = [...textsFrom(id), limit];
    const found = await Promise.all([
      this.sql.rows<Hit>(statements.FIND_HITS_BY_ID, [id]),
      this.sql.rows<Hit>(statements.FIRST_USERS_BY_EXTERNAL_ID, values),
      this.sql.rows<Hit>(statements.FIRST_GROUPS_BY_EXTERNAL_ID, values),
    ]);
    return found.flat();
  }

  /** At most `limit` records of each kind with a text that begins with the given one, regardless of case. */
  async byText(text: string, limit: number): Promise<Hit[]> {
    const folded = foldCase(text);
    const first = (statement: Statement, from: string, ...more: string[]) =>
      this.sql.rows<Hit>(statement, [...textsFrom(from), limit, ...more]);
    const found = await Promise.all([
      first(statements.FIRST_DIRECTORIES, folded),
      first(statements.FIRST_USERS, folded, ...textsFrom(foldUserName(text))),
      first(statements.FIRST_GROUPS, folded),
      first(statements.FIRST_ENDPOINTS, folded.replace(/^https?:\/\//, '')),
    ]);
    return found.flat();
  }
}

/** The range of all texts that begin with one: no character comes after U+10FFFF. */
function textsFrom(text: string): [string, string] {
  return [text, `${text}\u{10ffff}`];
}
