/** People and programs that own keys. */
import { type Pages } from '../site/pages.js';
import { personPage } from './person.page.js';
import { portalSessions } from './portal-sessions.js';

export function peopleRoom(pages: Pages): void {
  pages.show('/people', personPage);
  portalSessions(pages);
}
