/**
 * Text of others made safe for a terminal: control characters, which could clear the screen or imitate other
 * lines, are escaped.
 */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what it escapes
  return text.replace(/[\0-\x08\v-\x1f\x7f-\x9f]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}

/** As `printable`, on one line: text of others must not begin another. */
export function printableLine(text: string): string {
  return printable(text).replace(/\n/g, '\\n');
}

/** `1 key`, `2 keys`. */
export function counted(count: number, noun: string): string {
  const plural = `${noun.replace(/(?<!e)y$/, 'ie')}s`;
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}
