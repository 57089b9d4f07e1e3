// @ts-check
/** One OpenAPI document for the admin surface, from the committed documents of the services. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../local-stack/layout.mjs';
import { CLIENT_NAMES } from './client-names.mjs';

/**
 * @typedef {Record<string, any>} OpenApi an OpenAPI 3.1 object
 * @typedef {object} Service
 * @property {'key-service' | 'dsync-api' | 'identity-forms'} id
 * @property {string} title
 * @property {string} prefix of components that other services have under the same name
 */

/** @type {readonly Service[]} */
export const SERVICES = [
  { id: 'key-service', title: 'Key service', prefix: 'Keys' },
  { id: 'dsync-api', title: 'Directory sync', prefix: 'Directories' },
  { id: 'identity-forms', title: 'Identity forms', prefix: 'Forms' },
];

/** Paths that every service has; the gateway serves them below the name of the service. */
const COMMON_PATH = /^\/(?:version$|health\/|events\/)/;
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/**
 * Operations have the tag `<service title>: <tag>`, grouped by service in `x-tagGroups`. Where the client has
 * the operation, `x-client-name` is its name there, such as `keys.issue`, and the operation id is `keysIssue`.
 * @returns {OpenApi} an OpenAPI 3.1 document
 */
export function mergedDocument() {
  const documents = SERVICES.map((service) => ({ service, document: read(service) }));
  const shared = sharedNames(documents.map(({ document }) => document));
  const parts = documents.map(({ service, document }) => ({
    service,
    document: renamed(document, service, shared),
  }));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: parts[0]?.document['info'].version,
      summary: 'API keys, directory sync and identity forms',
      license: parts[0]?.document['info'].license,
    },
    servers: [{ url: '/' }],
    tags: parts.flatMap(({ service, document }) =>
      document['tags'].map((/** @type {OpenApi} */ tag) => ({
        ...tag,
        name: tagName(service, tag['name']),
        'x-displayName': tag['name'],
      })),
    ),
    'x-tagGroups': parts.map(({ service, document }) => ({
      name: service.title,
      tags: document['tags'].map((/** @type {OpenApi} */ tag) => tagName(service, tag['name'])),
    })),
    paths: Object.assign({}, ...parts.map(pathsOf)),
    components: Object.fromEntries(
      ['schemas', 'responses', 'securitySchemes'].map((kind) => [
        kind,
        Object.assign({}, ...parts.map(({ document }) => document['components'][kind])),
      ]),
    ),
  };
}

/**
 * @param {Service} service
 * @returns {OpenApi}
 */
function read({ id }) {
  const file = join(workspace, 'apps', id, 'src', `${id}.openapi.json`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * @param {OpenApi[]} documents
 * @returns {Set<string>} references to components that keep their name: no other document has it, or all say the
 *   same, also in what they refer to
 */
function sharedNames(documents) {
  /** @type {Map<string, Set<string>>} */
  const texts = new Map();
  for (const document of documents) {
    for (const [kind, components] of Object.entries(document['components'])) {
      for (const [name, component] of Object.entries(components)) {
        const reference = `#/components/${kind}/${name}`;
        texts.set(reference, (texts.get(reference) ?? new Set()).add(JSON.stringify(component)));
      }
    }
  }
  const shared = new Set(texts.keys());
  const differs = (/** @type {string} */ reference) => {
    const [text = '', another] = texts.get(reference) ?? [];
    const references = text.match(/#\/components\/\w+\/[^"]+/g) ?? [];
    return (
      another !== undefined ||
      (isRepeated(reference) && !references.every((each) => shared.has(each)))
    );
  };
  const isRepeated = (/** @type {string} */ reference) =>
    documents.filter((document) => componentOf(document, reference) !== undefined).length > 1;
  for (let found = true; found;) {
    const different = [...shared].filter(differs);
    for (const reference of different) shared.delete(reference);
    found = different.length > 0;
  }
  return shared;
}

/**
 * @param {OpenApi} document
 * @param {string} reference
 */
function componentOf(document, reference) {
  const [, , kind = '', name = ''] = reference.split('/');
  return document['components'][kind]?.[name];
}

/**
 * @param {OpenApi} document
 * @param {Service} service
 * @param {Set<string>} shared
 * @returns {OpenApi} the document, in which components of its own have the prefix of the service
 */
function renamed(document, { prefix }, shared) {
  const nameOf = (/** @type {string} */ kind, /** @type {string} */ name) =>
    shared.has(`#/components/${kind}/${name}`) ? name : `${prefix}${capitalized(name)}`;
  const components = Object.fromEntries(
    Object.entries(document['components']).map(([kind, members]) => [
      kind,
      Object.fromEntries(
        Object.entries(members).map(([name, component]) => [nameOf(kind, name), component]),
      ),
    ]),
  );
  const withReferences = JSON.stringify({ ...document, components }).replace(
    /"#\/components\/(\w+)\/([^"]+)"/g,
    (_, kind, name) => JSON.stringify(`#/components/${kind}/${nameOf(kind, name)}`),
  );
  const security = (/** @type {string} */ name) => nameOf('securitySchemes', name);
  return JSON.parse(withReferences, (key, value) =>
    key === 'security' && Array.isArray(value)
      ? value.map((choice) =>
          Object.fromEntries(
            Object.entries(choice).map(([name, scopes]) => [security(name), scopes]),
          ),
        )
      : value,
  );
}

/**
 * @param {{ service: Service, document: OpenApi }} part
 * @returns {OpenApi} operations by path, as the admin surface serves them
 */
function pathsOf({ service, document }) {
  return Object.fromEntries(
    Object.entries(document['paths']).map(([path, item]) => [
      COMMON_PATH.test(path) ? `/${service.id}${path}` : path,
      Object.fromEntries(
        Object.entries(item).map(([member, value]) => [
          member,
          METHODS.includes(member) ? operationOf(service, value) : value,
        ]),
      ),
    ]),
  );
}

/**
 * @param {Service} service
 * @param {OpenApi} operation
 */
function operationOf(service, operation) {
  const name = CLIENT_NAMES[service.id][operation['operationId']];
  const words = (name ?? `${service.prefix}.${operation['operationId']}`).split('.');
  const [first = '', ...others] = words;
  return {
    ...operation,
    operationId: first.charAt(0).toLowerCase() + first.slice(1) + others.map(capitalized).join(''),
    tags: operation['tags'].map((/** @type {string} */ tag) => tagName(service, tag)),
    ...(name === undefined ? {} : { 'x-client-name': name }),
  };
}

/**
 * @param {Service} service
 * @param {string} tag
 */
function tagName({ title }, tag) {
  return `${title}: ${tag}`;
}

/** @param {string} word */
function capitalized(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
