/**
 * Values that several forms of the page need: the key of the reader, and ids. They are in memory only: nothing
 * is stored, and closing the page forgets them.
 */
import { make } from './elements.js';

const values = new Map<string, string>();

/** An input whose value is that of all inputs with this name. */
export function sharedInput(name: string, properties: Partial<HTMLInputElement>): HTMLInputElement {
  const value = values.get(name) ?? '';
  const input = make('input', { value, ...properties });
  input.dataset['shared'] = name;
  input.addEventListener('input', () => share(name, input.value));
  return input;
}

export function share(name: string, value: string): void {
  values.set(name, value);
  for (const input of document.querySelectorAll<HTMLInputElement>(`[data-shared="${name}"]`)) {
    if (input !== document.activeElement) input.value = value;
  }
}
