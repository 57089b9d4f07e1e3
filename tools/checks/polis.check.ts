/** Compares the calls that docs/moving-from-polis.md names with the API, the library and the events. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDirectorySync } from '@gatehouse/directory-sync';
import { type DataSource } from 'typeorm';
import { workspace } from '#local-stack/layout.mjs';

const read = (file: string) => readFileSync(join(workspace, file), 'utf8');
const [, calls = ''] =
  /^## Every call of Polis$(.*?)^## /ms.exec(read('docs/moving-from-polis.md')) ?? [];
/** What answers the calls of a section, by its title. */
const ours = new Map(
  calls
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), namesIn(section)]),
);

function namesIn(section: string): string[] {
  const rows = section.split('\n').filter((line) => /^\| [^P-]/.test(line));
  return rows.flatMap((row) =>
    [...(row.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}
const withoutNames = (route: string) => route.replaceAll(/\{\w+\}/g, '{}');

it('every route is an operation of the API description', () => {
  const { paths } = JSON.parse(read('apps/dsync-api/src/dsync-api.openapi.json')) as {
    paths: Record<string, object>;
  };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => withoutNames(`${method.toUpperCase()} ${path}`)),
  );
  const routes = [...ours.values()].flat().filter((name) => name.includes('/'));
  assert.ok(routes.length > 20, String(routes.length));
  assert.deepEqual(
    routes.filter((route) => !operations.includes(withoutNames(route))),
    [],
  );
});

it('every call of the library is a function of the controller', () => {
  const database = { driver: { master: {} }, getRepository: () => ({}) } as unknown as DataSource;
  const controller: object = createDirectorySync({
    dataSource: database,
    externalUrl: 'https://sync.example.com',
    encryptionKeys: ['the-encryption-key-of-this-check-0123456789'],
  });
  const names = (ours.get('Library') ?? []).filter((name) => !name.includes('/'));
  const functions = names.filter((name) => !name.startsWith('createSetup'));
  assert.ok(functions.length > 15, String(functions.length));
  const scoped = controller as Record<
    string,
    { setTenantAndProduct?: (a: string, b: string) => object }
  >;
  const missing = functions.filter((name) => {
    const [part = '', operation] = name.split('.');
    const group = scoped[part];
    if (operation === undefined || operation === 'setTenantAndProduct') {
      return typeof (operation === undefined ? group : group?.setTenantAndProduct) !== 'function';
    }
    const handle = group?.setTenantAndProduct?.('acme', 'shop') ?? group ?? {};
    return !(operation in handle);
  });
  assert.deepEqual(missing, []);
});

it('every event is in the catalog', () => {
  const events = (ours.get('Webhook events') ?? []).filter((name) => name.includes('.'));
  const catalog = read('docs/events.md');
  assert.ok(events.length > 10, String(events.length));
  assert.deepEqual(
    events.filter((name) => !catalog.includes(`| \`${name}\` `)),
    [],
  );
});
