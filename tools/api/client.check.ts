/** The generated part of the client is what the API descriptions say. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { CLIENT_NAMES, LEFT_OUT } from './client-names.mjs';
import { generateClient } from './generate-client.mjs';
import { SERVICES, mergedDocument } from './merged-document.mjs';

const FOLDER = join(workspace, 'libs', 'client', 'src', 'api');

interface Operation {
  operationId: string;
}

const committed = (service: string) =>
  JSON.parse(
    readFileSync(join(workspace, 'apps', service, 'src', `${service}.openapi.json`), 'utf8'),
  ) as { paths: Record<string, Record<string, Operation>> };

it('the types and the operations are generated from the API descriptions', async () => {
  for (const [name, content] of Object.entries(await generateClient())) {
    const file = join(FOLDER, name);
    if (process.env.UPDATE_SNAPSHOTS) writeFileSync(file, content);
    expect(readFileSync(file, 'utf8') === content || name).toBe(true);
  }
});

it.each(SERVICES)(
  'each operation of $id has a name in the client, or a reason to have none',
  ({ id }) => {
    const operations = Object.values(committed(id).paths)
      .flatMap((item) => Object.values(item))
      .map(({ operationId }) => operationId);
    const leftOut = Object.keys(LEFT_OUT).flatMap((names) => names.split(', '));
    const named = Object.keys(CLIENT_NAMES[id]);
    expect(operations.filter((name) => !named.includes(name) && !leftOut.includes(name))).toEqual(
      [],
    );
    expect(named.filter((name) => !operations.includes(name) || leftOut.includes(name))).toEqual(
      [],
    );
  },
);

it('the merged document has each operation once', () => {
  const items = Object.values(
    mergedDocument()['paths'] as Record<string, Record<string, Operation>>,
  );
  const names = items.flatMap((item) => Object.values(item)).map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  const count = SERVICES.flatMap(({ id }) => Object.values(committed(id).paths)).flatMap((item) =>
    Object.values(item),
  ).length;
  expect(names.length).toBe(count);
});
