// @ts-check
import { randomBytes } from 'node:crypto';

/**
 * Directories for a run, made and deleted through the management API.
 *
 * @typedef {import('./types.mjs').Directory} Directory
 * @typedef {{ create: (type: string) => Promise<Directory>, deleteAll: () => Promise<void> }} Directories
 */

/**
 * @param {{ url: string, apiKey: string }} service
 * @returns {Directories}
 */
export function directoriesOf({ url, apiKey }) {
  const tenant = `conformance-${randomBytes(6).toString('hex')}`;
  const headers = { Authorization: `Api-Key ${apiKey}`, 'Content-Type': 'application/json' };
  /** @type {string[]} */
  const made = [];
  return {
    create: async (type) => {
      const response = await fetch(`${url}/api/v1/dsync`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ tenant, product: 'conformance', type }),
      });
      const text = await response.text();
      if (response.status !== 201) {
        throw new Error(`the service made no ${type} directory: ${response.status} ${text}`);
      }
      const { data } = JSON.parse(text);
      made.push(data.id);
      // Its own address, not the public one: a gateway in between is not what is tested.
      return { id: data.id, base: `${url}${data.scim.path}`, secret: data.scim.secret };
    },
    deleteAll: async () => {
      for (const id of made.splice(0)) {
        await fetch(`${url}/api/v1/dsync/${id}`, {
          method: 'DELETE',
          headers: { Authorization: headers.Authorization },
        });
      }
    },
  };
}

/** @type {[RegExp, string][]} */
const TYPES = [
  [/entra|azure|microsoft/i, 'azure-scim-v2'],
  [/okta/i, 'okta-scim-v2'],
  [/onelogin/i, 'onelogin-scim-v2'],
  [/jumpcloud/i, 'jumpcloud-scim-v2'],
];

/**
 * @param {string} provider an identity provider's name
 * @returns {string} the type of directory that it is given
 */
export function typeOfProvider(provider) {
  return TYPES.find(([pattern]) => pattern.test(provider))?.[1] ?? 'generic-scim-v2';
}

/**
 * @param {string} file name of a scenario
 * @returns {string} the type of directory that it runs in
 */
export function typeOfScenario(file) {
  // The suite of the former product was written for Entra ID: it replaces elements that are not there.
  if (file.startsWith('ms-') || file.startsWith('polis-')) return 'azure-scim-v2';
  return file.startsWith('okta-') ? 'okta-scim-v2' : 'generic-scim-v2';
}
