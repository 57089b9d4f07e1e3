import { type EventRow } from '../../events/event.types.js';
import { type UserRow, type UserWrite } from '../../users/user.types.js';

/**
 * The writes that a request has committed. It is separate from the response because writes before
 * a failure stay committed and must be announced as well.
 */
export class WriteLog {
  readonly events: EventRow[] = [];
  readonly users: UserWrite[] = [];
  private written = false;

  /** Whether anything was committed, which means that there are new events to deliver. */
  get hasWrites(): boolean {
    return this.written;
  }

  add(events: readonly EventRow[]): void {
    this.written = true;
    // No spread: a change of a large group has more events than a call may have arguments.
    for (const event of events) this.events.push(event);
  }

  addUser(write: UserWrite): UserRow {
    this.add(write.events);
    this.users.push(write);
    return write.user;
  }
}
