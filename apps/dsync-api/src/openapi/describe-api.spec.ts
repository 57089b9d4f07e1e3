import { readFileSync } from 'node:fs';
import { previewService, VERSION } from '@gatehouse/nest-kit/http';
import { committedDescription, describedAs, generateDescription } from '@gatehouse/testing';
import { DsyncApiConfig } from '../config.js';
import { dsyncApi } from '../service.js';
import { describeApi } from './describe-api.js';

interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>;
}

interface OpenApiOperation {
  parameters?: { name: string }[];
  responses: Record<string, { headers?: Record<string, unknown> }>;
}

it('the committed document is what the code says (UPDATE_SNAPSHOTS=1 writes it)', async () => {
  const config = new DsyncApiConfig();
  config.messages.keys = ['k'.repeat(32)];
  const document = await generateDescription(await previewService(dsyncApi(config)), {
    title: 'Gatehouse directory sync',
    description: 'Directories, their users, groups and events. SCIM 2.0 for identity providers.',
    version: VERSION,
    extend: describeApi,
  });
  const committed = committedDescription('apps/dsync-api/src/dsync-api.openapi.json', document);
  expect(committed).toBe(describedAs(document));
});

it('each page by offset describes the link to the next one', () => {
  const { paths } = JSON.parse(
    readFileSync('apps/dsync-api/src/dsync-api.openapi.json', 'utf8'),
  ) as OpenApiDocument;
  const pages = Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.values(operations).map((operation) => ({ path, ...operation })),
    )
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'pageOffset'));
  expect(pages.length).toBeGreaterThan(5);
  const without = pages.filter(({ responses }) => !responses['200']?.headers?.Link);
  expect(without.map(({ path }) => path)).toEqual([]);
});
