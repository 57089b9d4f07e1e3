/** Keeps docs/errors.md equal to the error catalogs; UPDATE_SNAPSHOTS=1 writes it anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';
import { markdownTable } from '../test-run/markdown-table.js';

interface ErrorCode {
  code: string;
  kind: string;
  message: string;
}

const PAGE = join(workspace, 'docs/errors.md');
const INTRODUCTION = `# Errors

Every error has a stable code. Match the code, not the message: some messages are more specific than
the ones below. A 5xx shows the request id and no details. The format depends on the API: AIP-193 for
the key service (\`error.details[0].reason\` is the code), RFC 9457 for identity forms (\`code\`),
\`{data, error}\` for directory management and RFC 7644 for SCIM; the last two show the status and the
message only.

The error catalogs in the code are the source of this page. To update it, run
\`UPDATE_SNAPSHOTS=1 npm test -- --tier checks --filter errors\`.
`;
const CATALOGS = [
  ['All services', 'libs/kit/src/errors/kit.errors.js', 'KitErrors'],
  ['Webhook endpoints', 'libs/delivery/src/delivery.errors.js', 'DeliveryErrors'],
  ['Key service', 'apps/key-service/src/errors.js', 'KeyErrors'],
  ['Directory sync', 'libs/directory-sync/src/sync.errors.js', 'SyncErrors'],
  ['Identity forms', 'apps/identity-forms/src/errors.js', 'FormsErrors'],
  ['Console', 'apps/console/src/errors.js', 'ConsoleErrors'],
] as const;

it('docs/errors.md lists the errors of all catalogs', async () => {
  const { DomainError } = (await importBuilt('libs/kit/src/errors/index.js')) as {
    DomainError: new (definition: ErrorCode) => { httpStatus: number };
  };
  const sections = CATALOGS.map(async ([title, file, name]) => {
    const catalog = (await importBuilt(file))[name] as Record<string, ErrorCode>;
    const rows = Object.values(catalog)
      .map((definition) => ({ ...definition, status: new DomainError(definition).httpStatus }))
      .sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
    return `\n## ${title}\n\n${tableOf(rows)}`;
  });
  const page = INTRODUCTION + (await Promise.all(sections)).join('');
  if (process.env.UPDATE_SNAPSHOTS === '1') {
    writeFileSync(PAGE, page);
  }
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

function importBuilt(file: string): Promise<Record<string, unknown>> {
  return import(join(workspace, 'dist', file)) as Promise<Record<string, unknown>>;
}

function tableOf(rows: (ErrorCode & { status: number })[]): string {
  return markdownTable([
    ['Code', 'Status', 'Message'],
    ...rows.map(({ code, status, message }) => [`\`${code}\``, String(status), message]),
  ]);
}
