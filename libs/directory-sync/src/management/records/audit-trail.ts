import { type AdminEvent, type AuditEvents } from '@gatehouse/kit/audit';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { type Page, type PageOf, pageOf } from '../page.input.js';

/** Values that events must have to be listed. */
export interface AuditFilter {
  type?: string;
  caller?: string;
  /** The id of the directory or event that was changed. */
  targetId?: string;
}

const TEXT = { max: 512 };
/** The database refuses to delete younger events. */
const AGE_MIN_MS = 7 * 86_400_000;

/** The `auditEvents` operations of the controller object. */
export class AuditTrail {
  constructor(private readonly context: { audit: AuditEvents<AdminEvent> }) {}

  /** The changes of directories and refused calls, newest first. */
  async getAll(options: AuditFilter & Page = {}): Promise<AdminEvent[]> {
    return (await this.getPage(options)).items;
  }

  /** As `getAll`, with the offset of the next page. */
  async getPage(options: AuditFilter & Page = {}): Promise<PageOf<AdminEvent>> {
    const { offset, limit } = pageOf(options);
    const input = InputReader.ofQuery(options ?? {});
    const read = (name: string) => input.text(name, TEXT) || undefined;
    const equal = { type: read('type'), caller: read('caller'), target_id: read('targetId') };
    input.throwIfInvalid();
    const found = await this.context.audit.list({ equal, offset, limit: limit + 1 });
    const nextOffset = found.length > limit ? offset + limit : null;
    return { items: found.slice(0, limit), nextOffset };
  }

  /**
   * Deletes the events before a time, which must be at least seven days ago; resolves to their
   * number. dsync-api does so every hour, by AUDIT_TTL; other programs call this themselves.
   */
  async deleteBefore(time: Date): Promise<{ deleted: number }> {
    if (!(time instanceof Date) || !(time.getTime() <= Date.now() - AGE_MIN_MS)) {
      throw invalidField('time', 'must be a Date at least seven days ago');
    }
    return { deleted: await this.context.audit.deleteBefore(time) };
  }
}
