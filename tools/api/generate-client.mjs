// @ts-check
/** Generates libs/client/src/api/*.gen.ts: the types of all messages, and a table of all operations. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { mergedDocument } from './merged-document.mjs';

/** @typedef {import('./merged-document.mjs').OpenApi} OpenApi */

const HEADER =
  '// Generated from the API descriptions: UPDATE_SNAPSHOTS=1 npm test -- --tier checks --filter api/client\n';
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
/** The parameter by which a list is paged, and how the client names the way. */
const PAGING = { page_token: 'token', pageOffset: 'offset', after: 'after' };

/** @returns {Promise<Record<string, string>>} contents by file name */
export async function generateClient() {
  const document = clientDocument();
  return {
    'types.gen.ts': HEADER + (await typesOf(document)),
    'operations.gen.ts': HEADER + operationsOf(document),
  };
}

/** @returns {OpenApi} the operations of the client, without their errors, which have a type of their own */
function clientDocument() {
  const document = mergedDocument();
  for (const [path, item] of Object.entries(document['paths'])) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      if (operation['x-client-name'] === undefined) delete item[method];
      else {
        operation.responses = Object.fromEntries(
          Object.entries(operation.responses).filter(([status]) => status.startsWith('2')),
        );
      }
    }
    if (!METHODS.some((method) => item[method])) delete document['paths'][path];
  }
  delete document['components'].responses;
  return document;
}

/**
 * @param {OpenApi} document
 * @returns {Promise<string>}
 */
async function typesOf(document) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-client-'));
  try {
    await createClient({
      input: document,
      output: { path: folder, postProcess: [] },
      parser: { filters: { orphans: false } },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    });
    return readFileSync(join(folder, 'types.gen.ts'), 'utf8').replace(/^\/\/.*\n+/, '');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {OpenApi} document */
function operationsOf(document) {
  /** @type {OpenApi} */
  const tree = {};
  for (const [path, item] of Object.entries(document['paths'])) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const names = operation['x-client-name'].split('.');
      const last = names.pop();
      let group = tree;
      for (const name of names) group = group[name] ??= {};
      group[last] = { isOperation: true, method: method.toUpperCase(), path, operation };
    }
  }
  const types = `export interface Operations ${printed(tree, typeOf, ';')}\n`;
  const table = `export const OPERATIONS = ${printed(tree, entryOf, ',')} satisfies Table;\n`;
  const imports = `import { type List, type Operation, type Table } from './operation.js';
import type * as Types from './types.gen.js';\n`;
  return `${imports}\n${types}\n${table}`;
}

/**
 * @param {OpenApi} group
 * @param {(leaf: OpenApi) => string} leaf
 * @param {string} end
 * @returns {string}
 */
function printed(group, leaf, end) {
  const members = Object.entries(group).map(([name, member]) => {
    const { description, text } = member['isOperation']
      ? { description: `/** ${member['operation'].summary}. */\n`, text: leaf(member) }
      : { description: '', text: printed(member, leaf, end) };
    return `${leaf === typeOf ? description : ''}${name}: ${text}${end}\n`;
  });
  return `{\n${members.join('')}}`;
}

/** @param {OpenApi} leaf */
function typeOf({ operation }) {
  const name = operation.operationId.charAt(0).toUpperCase() + operation.operationId.slice(1);
  const input = `Types.${name}Data${contentTypes(operation).length > 1 ? ", 'body'" : ''}`;
  const paging = pagingOf(operation);
  return paging === undefined
    ? `Operation<Types.${name}Response, ${input}>`
    : `List<Types.${name}Response, ${JSON.stringify(paging.items)}, ${input}>`;
}

/** @param {OpenApi} leaf */
function entryOf({ method, path, operation }) {
  const [type, another] = contentTypes(operation);
  const query = namesOf(operation, 'query');
  const options = {
    ...(method !== 'GET' && method !== 'DELETE' && query.length > 0 && { query }),
    ...(type !== undefined && type !== 'application/json' && { type }),
    ...(another !== undefined && { type: 'any' }),
    ...pagingOf(operation),
  };
  const hasOptions = Object.keys(options).length > 0;
  return JSON.stringify(hasOptions ? [method, path, options] : [method, path]);
}

/**
 * @param {OpenApi} operation
 * @returns {{ page: string, items: string } | undefined} `items` names the list in the response, or is empty
 *   where the response is the list
 */
function pagingOf(operation) {
  const [, page] =
    Object.entries(PAGING).find(([name]) => namesOf(operation, 'query').includes(name)) ?? [];
  if (page === undefined) return undefined;
  const { example } = operation['responses']['200'].content['application/json'];
  const data = 'data' in example && 'error' in example ? example.data : example;
  if (Array.isArray(data)) return { page, items: '' };
  const [items] = Object.entries(data).find(([, value]) => Array.isArray(value)) ?? [];
  if (items === undefined) throw new Error(`${operation['operationId']} has pages, but no list`);
  return { page, items };
}

/** @param {OpenApi} operation */
function contentTypes(operation) {
  return Object.keys(operation['requestBody']?.content ?? {});
}

/**
 * @param {OpenApi} operation
 * @param {string} place
 * @returns {string[]}
 */
function namesOf(operation, place) {
  return (operation['parameters'] ?? [])
    .filter((/** @type {OpenApi} */ parameter) => parameter['in'] === place)
    .map((/** @type {OpenApi} */ parameter) => parameter['name']);
}
