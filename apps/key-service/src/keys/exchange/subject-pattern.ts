/**
 * Whether a subject fits a pattern, as a whole and case-sensitively. A `*` stands for any characters but
 * `:`, and at the end of a pattern for any characters: issuers build subjects of parts that others may name,
 * and a part must not stand for two of them. Takes linear time, because it never goes back.
 */
export function fitsSubject(pattern: string, subject: string): boolean {
  const parts = pattern.split(':');
  const found = subject.split(':');
  const isOpen = pattern.endsWith('*') && found.length > parts.length;
  return (
    (isOpen || found.length === parts.length) &&
    parts.every((part, n) => fitsPart(part, found[n] as string))
  );
}

function fitsPart(pattern: string, text: string): boolean {
  const pieces = pattern.split('*');
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  if (pieces.length === 1) return text === pattern;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let position = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const at = text.indexOf(piece, position);
    if (at === -1 || at + piece.length > end) return false;
    position = at + piece.length;
  }
  return true;
}
