import { markup } from '@gatehouse/pages';
import { type Pages } from '../site/pages.js';
import { siteTexts } from '../texts/site.texts.js';

/** What needs a person now. */
export function overviewRoom(pages: Pages): void {
  pages.show('/', ({ frame }) => ({
    title: siteTexts(frame.language).overview,
    section: 'overview',
    content: markup``,
  }));
}
