/** As much of a browser as a plain form needs: reads the form of a page, sends what a browser sends. */

export interface Control {
  name: string;
  type: string;
  value: string;
  checked: boolean;
}

/** Typed fields and checked boxes, by name. */
export interface Input {
  type: Record<string, string>;
  check: string[];
}

const BUTTON_TYPES = ['submit', 'button', 'reset', 'image'];
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** The controls of the only form of a page, in order. */
export function readForm(html: string): { action: string; controls: Control[] } {
  const form = /<form\b([^>]*)>(.*?)<\/form>/s.exec(html);
  if (form === null) throw new Error('the page has no form');
  const [, formTag = '', inside = ''] = form;
  const controls: Control[] = [];
  for (const [, tag = '', attributes = '', text = ''] of inside.matchAll(
    /<(input|textarea|select)\b([^>]*)>(?:(.*?)<\/(?:textarea|select)>)?/gs,
  )) {
    const name = attribute(attributes, 'name');
    if (name === undefined) continue;
    const selected = /<option\b([^>]*\bselected\b[^>]*)>/s.exec(text)?.[1] ?? '';
    controls.push({
      name,
      type: tag === 'input' ? (attribute(attributes, 'type') ?? 'text') : tag,
      value:
        tag === 'textarea'
          ? unescape(text)
          : (attribute(tag === 'select' ? selected : attributes, 'value') ?? ''),
      checked: /\schecked(\s|=|$)/.test(attributes),
    });
  }
  return { action: attribute(formTag, 'action') ?? '', controls };
}

/** The fields that a browser submits: no buttons, and a box only when it is checked. */
export function fillIn(controls: readonly Control[], { type, check }: Input): URLSearchParams {
  const fields = new URLSearchParams();
  for (const { name, type: kind, value, checked } of controls) {
    if (BUTTON_TYPES.includes(kind)) continue;
    if (kind === 'checkbox' || kind === 'radio') {
      if (check.includes(name) || checked) fields.append(name, value);
    } else {
      fields.append(name, kind === 'hidden' ? value : (type[name] ?? value));
    }
  }
  const missing = [...Object.keys(type), ...check].find((name) => !fields.has(name));
  if (missing !== undefined) throw new Error(`the form has no field ${missing}`);
  return fields;
}

function attribute(attributes: string, name: string): string | undefined {
  const pattern = new RegExp(`\\s${name}(?:="([^"]*)"|='([^']*)'|=([^\\s>"']+))`);
  const match = pattern.exec(` ${attributes}`);
  const value = match?.[1] ?? match?.[2] ?? match?.[3];
  return value === undefined ? undefined : unescape(value);
}

function unescape(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|(lt|gt|quot|apos|amp));/gi,
    (_, hex: string | undefined, decimal: string, word: string | undefined) =>
      word === undefined
        ? String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal))
        : (ENTITIES[word] ?? ''),
  );
}
