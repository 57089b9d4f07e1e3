/** Keys: find one, see why it works or not, and change it. */
import { type Pages } from '../site/pages.js';
import { keyActs } from './key-acts.js';
import { keyCredits } from './key-credits.js';
import { keyForms } from './key-form.js';
import { listPage } from './key-list.js';
import { keyPage } from './key.page.js';

export function keysRoom(pages: Pages): void {
  pages.show('/keys', listPage);
  keyForms(pages);
  pages.show('/keys/:id', keyPage);
  keyActs(pages);
  keyCredits(pages);
}
