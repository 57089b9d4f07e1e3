/** A button beside each code sample that copies it. */
import { find, make } from './elements.js';

export function addCopyButtons(): void {
  for (const sample of document.querySelectorAll('.samples pre')) {
    const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' });
    button.addEventListener('click', () => void copy(sample, button));
    sample.before(button);
  }
}

async function copy(sample: Element, button: HTMLElement): Promise<void> {
  getSelection()?.selectAllChildren(sample);
  // Browsers have no clipboard for pages without TLS, but the selection can still be copied by a key.
  const { clipboard } = navigator as { clipboard?: Clipboard };
  const isCopied = await clipboard?.writeText(sample.textContent ?? '').then(
    () => true,
    () => false,
  );
  button.textContent = isCopied ? 'Copied' : 'Selected';
  find('#said', HTMLElement).textContent = button.textContent;
}
