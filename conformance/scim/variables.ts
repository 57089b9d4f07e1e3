import { randomUUID } from 'node:crypto';
import { type JsonValue } from '@gatehouse/scim';

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g;
const REPETITION = /^(\d+) x (.+)$/;
const HOUR_MS = 3_600_000;

const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';
const SCHEMAS = 'urn:ietf:params:scim:schemas';

const URNS = {
  User: `${SCHEMAS}:core:2.0:User`,
  Group: `${SCHEMAS}:core:2.0:Group`,
  Enterprise: `${SCHEMAS}:extension:enterprise:2.0:User`,
  ServiceProviderConfig: `${SCHEMAS}:core:2.0:ServiceProviderConfig`,
  ListResponse: `${MESSAGES}:ListResponse`,
  SearchRequest: `${MESSAGES}:SearchRequest`,
  PatchOp: `${MESSAGES}:PatchOp`,
  BulkRequest: `${MESSAGES}:BulkRequest`,
  BulkResponse: `${MESSAGES}:BulkResponse`,
};

/** The `{{name}}` placeholders of one scenario; the README lists them. */
export class Variables {
  private readonly values: Map<string, JsonValue>;

  constructor(values: Record<string, string>) {
    // Letters only, so that the text has two spellings.
    const uniq = randomUUID().replaceAll(/[\d-]/g, 'x');
    const hourAgo = new Date(Date.now() - HOUR_MS).toISOString();
    this.values = new Map(
      Object.entries({ ...URNS, uniq, UNIQ: uniq.toUpperCase(), hourAgo, ...values }),
    );
  }

  set(name: string, value: JsonValue | undefined): void {
    if (value === undefined) throw new Error(`The answer has no value to capture as ${name}.`);
    this.values.set(name, value);
  }

  /**
   * A copy without placeholders. An object with `$repeat` becomes a list of `count` plus `plus`
   * copies of its value.
   *
   * @throws when a variable has not been captured
   */
  fill<T>(value: T): T {
    return this.filled(value) as T;
  }

  private filled(value: unknown): unknown {
    if (typeof value === 'string') return this.fillText(value);
    if (Array.isArray(value)) return value.map((each) => this.filled(each));
    if (typeof value !== 'object' || value === null) return value;
    const object = Object.fromEntries(
      Object.entries(value).map(([name, each]) => [this.fillText(name), this.filled(each)]),
    );
    if (!('$repeat' in object)) return object;
    return Array<unknown>(Number(object.count) + Number(object.plus)).fill(object.$repeat);
  }

  private fillText(text: string): string {
    return text.replaceAll(PLACEHOLDER, (_match, expression: string) => this.textOf(expression));
  }

  private textOf(expression: string): string {
    if (expression === 'uuid') return randomUUID();
    if (expression === 'now') return new Date().toISOString();
    const [, count, repeated] = REPETITION.exec(expression) ?? [];
    if (repeated !== undefined) return repeated.repeat(Number(count));
    const [name = '', change] = expression.split(':');
    const value = this.values.get(name);
    if (value === undefined) throw new Error(`Nothing was captured as ${name}.`);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return change === 'flipcase' ? flipCase(text) : text;
  }
}

function flipCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
