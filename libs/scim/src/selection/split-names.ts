/**
 * Splits a comma-separated list of names. Commas in the brackets of a value filter do not count.
 * Cost is linear in the length.
 */
export function splitNames(text: string): string[] {
  const names: string[] = [];
  let start = 0;
  let isInBrackets = false;
  let isInText = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInText) {
      if (character === '\\') index += 1;
      else if (character === '"') isInText = false;
    } else if (isInBrackets) {
      if (character === '"') isInText = true;
      else if (character === ']') isInBrackets = false;
    } else if (character === '[') {
      isInBrackets = true;
    } else if (character === ',') {
      names.push(text.slice(start, index));
      start = index + 1;
    }
  }
  names.push(text.slice(start));
  return names.map((name) => name.trim()).filter((name) => name !== '');
}
