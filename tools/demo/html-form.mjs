// @ts-check
// As much of a browser as a plain form needs: reads the page's form and sends what a browser sends.

/**
 * @typedef {object} Control
 * @property {string} name
 * @property {string} type
 * @property {string} value
 * @property {boolean} checked
 */

/**
 * The controls of the only form of a page, in their order.
 *
 * @param {string} html
 * @returns {{ action: string, controls: Control[] }}
 */
export function readForm(html) {
  const form = /<form\b([^>]*)>(.*?)<\/form>/s.exec(html);
  if (form === null) throw new Error('the page has no form');
  const [, formTag = '', inside = ''] = form;
  /** @type {Control[]} */
  const controls = [];
  for (const [, tag = '', attributes = '', text = ''] of inside.matchAll(
    /<(input|textarea|select)\b([^>]*)>(?:(.*?)<\/(?:textarea|select)>)?/gs,
  )) {
    const name = attribute(attributes, 'name');
    if (name === undefined) continue;
    const chosen = /<option\b([^>]*\bselected\b[^>]*)>/s.exec(text)?.[1] ?? '';
    controls.push({
      name,
      type: tag === 'input' ? (attribute(attributes, 'type') ?? 'text') : tag,
      value:
        tag === 'textarea'
          ? unescape(text)
          : (attribute(tag === 'select' ? chosen : attributes, 'value') ?? ''),
      checked: /\schecked(\s|=|$)/.test(attributes),
    });
  }
  return { action: attribute(formTag, 'action') ?? '', controls };
}

/**
 * The fields that a browser submits: a checkbox only when it is checked, a button only when it is
 * the one that was pressed.
 *
 * @param {Control[]} controls
 * @param {{ type: Record<string, string>, check: string[] }} person what is typed, which boxes are ticked
 * @returns {URLSearchParams}
 */
export function fillIn(controls, { type, check }) {
  const fields = new URLSearchParams();
  for (const control of controls) {
    const { name } = control;
    if (['submit', 'button', 'reset', 'image'].includes(control.type)) continue;
    if (control.type === 'checkbox' || control.type === 'radio') {
      if (check.includes(name) || control.checked) fields.append(name, control.value);
    } else {
      fields.append(
        name,
        control.type === 'hidden' ? control.value : (type[name] ?? control.value),
      );
    }
  }
  for (const name of [...Object.keys(type), ...check]) {
    if (!fields.has(name)) throw new Error(`the form has no field ${name}`);
  }
  return fields;
}

/**
 * @param {string} attributes
 * @param {string} name
 */
function attribute(attributes, name) {
  const match = new RegExp(`\\s${name}(?:="([^"]*)"|='([^']*)'|=([^\\s>"']+))`).exec(
    ` ${attributes}`,
  );
  const value = match?.[1] ?? match?.[2] ?? match?.[3];
  return value === undefined ? undefined : unescape(value);
}

/** @param {string} text */
function unescape(text) {
  /** @type {Record<string, string>} */
  const named = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|(lt|gt|quot|apos|amp));/gi,
    (_, hex, decimal, word) =>
      word ? (named[word] ?? '') : String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal)),
  );
}
