// @ts-check
/**
 * The paths of case files into a JSON body: `meta.location`, `Resources[0].id`,
 * `Resources[*].userName`, `emails[?type=work].value`, `["urn:…:User"].department`, `$`.
 *
 * @typedef {import('./types.mjs').Json} Json
 * @typedef {{ key: string } | { index: number } | { every: true } | { name: string, value: string }} Step
 */

const TOKEN = /\["((?:[^"\\]|\\.)*)"\]|\[\?([^=\]]+)=([^\]]*)\]|\[(\*|\d+)\]|\.?([^.[\]]+)/y;

/**
 * @param {string} path
 * @returns {Step[]}
 */
function stepsOf(path) {
  /** @type {Step[]} */
  const steps = [];
  const rest = path.startsWith('$') && !path.startsWith('$ref') ? path.slice(1) : path;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < rest.length) {
    const at = TOKEN.lastIndex;
    const [, quoted, name, value, index, key] = TOKEN.exec(rest) ?? [];
    if (quoted !== undefined) steps.push({ key: quoted });
    else if (name !== undefined) steps.push({ name, value: value ?? '' });
    else if (index === '*') steps.push({ every: true });
    else if (index !== undefined) steps.push({ index: Number(index) });
    else if (key !== undefined) steps.push({ key });
    else throw new Error(`the path "${path}" cannot be read from character ${at} on`);
  }
  return steps;
}

/**
 * @param {Json | undefined} value
 * @param {Step} step
 * @returns {Json | undefined}
 */
function take(value, step) {
  if ('every' in step) return Array.isArray(value) ? value : undefined;
  if ('index' in step) return Array.isArray(value) ? value[step.index] : undefined;
  if ('name' in step) {
    if (!Array.isArray(value)) return undefined;
    return value.find((each) => textOf(take(each, { key: step.name })) === step.value);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, step.key) ? value[step.key] : undefined;
}

/** @param {Json | undefined} value */
function textOf(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * @param {Json | undefined} body
 * @param {string} path
 * @returns {Json | undefined} what stands there; after `[*]` the array of what each element has
 */
export function readPath(body, path) {
  /** @type {Json | undefined} */
  let value = body;
  const steps = stepsOf(path);
  for (const [position, step] of steps.entries()) {
    value = take(value, step);
    if ('every' in step && Array.isArray(value)) {
      const rest = steps.slice(position + 1);
      return value.map(
        (each) => rest.reduce(takeOptional, /** @type {Json | undefined} */ (each)) ?? null,
      );
    }
  }
  return value;
}

/**
 * @param {Json | undefined} value
 * @param {Step} step
 */
function takeOptional(value, step) {
  return value === undefined ? undefined : take(value, step);
}
