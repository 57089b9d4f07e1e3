/** Filters the list of operations by words. */
import { find } from './elements.js';

interface Entry {
  readonly item: HTMLElement;
  /** Where words are looked for. */
  readonly text: string;
}

export function startSearch(): void {
  const input = find('#find', HTMLInputElement);
  const status = find('#said', HTMLElement);
  let entries: Entry[] | undefined;
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    entries ??= readEntries();
    const found = entries.filter(({ item, text }) => {
      item.hidden = !words.every((word) => text.includes(word));
      return !item.hidden;
    });
    for (const group of document.querySelectorAll<HTMLDetailsElement>('nav details')) {
      group.hidden = group.querySelector('li:not([hidden])') === null;
      group.open = words.length > 0 && !group.hidden;
    }
    const count = found.length === 1 ? '1 operation' : `${found.length} operations`;
    status.textContent = words.length > 0 ? count : '';
  });
  input.addEventListener('keydown', ({ key }) => {
    if (key !== 'Enter' || input.value === '') return;
    document.querySelector<HTMLElement>('nav details:not([hidden]) li:not([hidden]) a')?.click();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

/** Title, address, name in the client, description and fields of each operation. */
function readEntries(): Entry[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('nav details a')].map((link) => {
    const article = find(link.hash, HTMLElement);
    const parts = [...article.querySelectorAll('h3, p, dt')];
    const text = parts.map(({ textContent }) => textContent).join(' ');
    return { item: link.parentElement as HTMLElement, text: text.toLowerCase() };
  });
}
