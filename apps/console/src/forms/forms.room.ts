/** Schemas of forms, and the people who filled them in. */
import { type Pages } from '../site/pages.js';
import { identityPages } from './identities.pages.js';
import { schemaEditor } from './schema-editor.pages.js';
import { schemaPages } from './schemas.pages.js';

export function formsRoom(pages: Pages): void {
  schemaPages(pages);
  schemaEditor(pages);
  identityPages(pages);
}
