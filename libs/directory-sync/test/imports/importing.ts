import { scimTarget } from '../../src/scim/requests/scim-target.js';
import { createDirectoryImports, type ImportsOptions } from '../../src/imports/create-imports.js';
import { type DirectoryReport, type ImportOptions } from '../../src/imports/import.types.js';
import { type Fixture } from '../fixture.js';
import { type Answer, ENCRYPTION_KEYS } from '../harness.js';
import { type ScriptedSource } from './scripted-source.js';

export const APPLY: ImportOptions = { isDryRun: false, isDelta: false };

/** Import operations for tests. */
export function importing(fixture: Fixture) {
  const imports = (settings: Partial<ImportsOptions> = {}) =>
    createDirectoryImports({
      dataSource: fixture.test.dataSource,
      encryptionKeys: ENCRYPTION_KEYS,
      outbound: { allowPrivate: true },
      ...settings,
    });
  return {
    imports,

    run: (source: ScriptedSource, options = APPLY, settings: Partial<ImportsOptions> = {}) =>
      imports(settings).importDirectory(source.directory, source, options),

    /** A request of the provider, which still has its old secret and address. */
    send: (
      { directory }: ScriptedSource,
      method: string,
      path: string,
      body?: unknown,
    ): Promise<Answer> => {
      const [pathname = '', search = ''] = path.split('?', 2);
      return fixture.test.sync.requests.scim.respond({
        directoryId: directory.id,
        apiSecret: directory.scimSecret,
        method,
        body,
        target: scimTarget(pathname),
        query: Object.fromEntries(new URLSearchParams(search)),
      });
    },

    viewOf: async ({ directory }: ScriptedSource) =>
      (await fixture.test.sync.directories.get(directory.id)).data,
  };
}

export const reasons = (report: DirectoryReport) => report.conflicts.map(({ reason }) => reason);
