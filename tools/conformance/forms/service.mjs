// @ts-check
import { randomBytes } from 'node:crypto';
import { withOwnService } from '../own-service.mjs';

/**
 * An identity-forms service; `register` gives the id of a schema, the same for the same schema.
 *
 * @typedef {{ url: string, apiKey: string, register: (schema: any) => Promise<string> }} FormService
 */

/**
 * @template T
 * @param {(service: FormService) => Promise<T>} work
 * @returns {Promise<T>}
 */
export function withFormService(work) {
  const apiKey = `conformance-${randomBytes(18).toString('hex')}`;
  return withOwnService(
    'identity-forms',
    () => ({ ADMIN_API_KEYS: apiKey }),
    (url) => work({ url, apiKey, register: registry(url, apiKey) }),
  );
}

/**
 * @param {string} url
 * @param {string} apiKey
 * @returns {FormService['register']}
 */
function registry(url, apiKey) {
  /** @type {Map<string, string>} */
  const known = new Map();
  return async (schema) => {
    const text = JSON.stringify(schema);
    const id = known.get(text) ?? `case-${known.size}`;
    if (known.has(text)) return id;
    const answer = await fetch(`${url}/v1/schemas`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id, schema }),
    });
    if (answer.status !== 201) throw new Error(`schema not registered: ${await answer.text()}`);
    known.set(text, id);
    return id;
  };
}
