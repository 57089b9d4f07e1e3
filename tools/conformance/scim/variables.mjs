// @ts-check
import { randomBytes, randomUUID } from 'node:crypto';

/**
 * The `{{name}}` placeholders of case files.
 *
 * @typedef {import('./types.mjs').Json} Json
 */

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g;
const COPIES = /^\{\{(.+)\+1 copies of (\w+) (\S+)\}\}$/;

/** A case names something that no earlier step has captured. */
export class UnknownVariable extends Error {}

/** The variables of one scenario or of one independent case. */
export class Variables {
  /** @type {Map<string, Json>} */
  #values;

  /** @param {Record<string, Json>} [values] may refer to each other */
  constructor(values = {}) {
    // Lower case letters only, so that a text with it has two spellings.
    const uniq = `u${randomBytes(8)
      .toString('hex')
      .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')}`;
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    this.#values = new Map(
      Object.entries({
        uniq,
        UNIQ: uniq.toUpperCase(),
        watermark: hourAgo,
        id: randomUUID(),
        ...values,
      }),
    );
  }

  /**
   * @param {string} name
   * @param {Json | undefined} value undefined leaves it unknown
   */
  set(name, value) {
    if (value === undefined) this.#values.delete(name);
    else this.#values.set(name, value);
  }

  /**
   * @param {string} name
   * @returns {Json | undefined}
   */
  get(name) {
    return this.#values.get(name);
  }

  /**
   * @template {Json | undefined} T
   * @param {T} value
   * @returns {T} a copy without placeholders
   * @throws {UnknownVariable}
   */
  fill(value) {
    return /** @type {T} */ (this.#fillAny(value));
  }

  /**
   * @param {Json | undefined} value
   * @returns {Json | undefined}
   */
  #fillAny(value) {
    if (typeof value === 'string') return this.#fillText(value);
    if (Array.isArray(value)) return value.map((each) => this.#fillAny(each) ?? null);
    if (typeof value !== 'object' || value === null) return value;
    // Entries, not assignment: a name such as __proto__ stays a name.
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        String(this.#fillText(name)),
        this.#fillAny(each) ?? null,
      ]),
    );
  }

  /**
   * @param {string} text
   * @returns {Json}
   */
  #fillText(text) {
    const [, limit, method, path] = COPIES.exec(text) ?? [];
    if (limit !== undefined && method !== undefined && path !== undefined) {
      return Array.from({ length: this.#limit(limit) + 1 }, () => ({ method, path }));
    }
    return text.replaceAll(PLACEHOLDER, (_match, name) => this.#textOf(name));
  }

  /**
   * @param {string} expression
   * @returns {string}
   */
  #textOf(expression) {
    if (expression === 'uuid') return randomUUID();
    if (expression === 'now') return new Date().toISOString();
    const [name = '', change] = expression.split(':');
    const value = this.#values.get(name);
    if (value === undefined) throw new UnknownVariable(`nothing was captured as ${name}`);
    const text = String(this.#fillText(typeof value === 'string' ? value : JSON.stringify(value)));
    return change === 'flipcase' ? flipCase(text) : text;
  }

  /** @param {string} path such as `spc.bulk.maxOperations` */
  #limit(path) {
    const [name = '', ...rest] = path.split('.');
    /** @type {any} */
    let value = this.#values.get(name);
    for (const key of rest) value = Object(value)[key];
    if (!Number.isInteger(value)) throw new UnknownVariable(`${path} is no number`);
    return value;
  }
}

/** @param {string} text */
function flipCase(text) {
  return text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
