/** `npm run import`: moves the records of another product here. docs/moving-from-polis.md and its siblings. */
import { StackFault } from '#local-stack/fault.mjs';
import { listenForInterruption } from '#local-stack/interruption.mjs';
import { readOptions } from '#local-stack/options.mjs';
import { Progress } from '#local-stack/progress.mjs';
import { importPolis, type PolisOptions } from './polis/import-polis.js';

const USAGE = `npm run import -- polis [options]

  --apply          write; without it, show what would be written
  --delta          only directories that were imported before
  --activate       complete the import: webhooks send from now on
  --product NAME   only this product; repeat it for several
  --tenant NAME    only this tenant; repeat it for several
  --directory ID   only this directory; repeat it for several
  --report FILE    write the whole report as JSON

Credentials come from the environment: POLIS_URL and POLIS_API_KEY, or POLIS_DATABASE_URL and
POLIS_DB_ENCRYPTION_KEY; each may be given as NAME_FILE, the path of a file with the value.

Exit codes: 0 done, 1 failed, 2 usage, 3 done with conflicts, 78 settings, 130 interrupted.`;

export async function main(args: string[]): Promise<number> {
  const text = { type: 'string', multiple: true } as const;
  const flag = { type: 'boolean' } as const;
  const { values, positionals } = readOptions(
    args,
    {
      ...{ apply: flag, delta: flag, activate: flag },
      ...{ product: text, tenant: text, directory: text, report: { type: 'string' } as const },
    },
    { usage: USAGE, positionals: 1 },
  );
  const { apply, delta, activate, product = [], tenant = [], directory = [], report } = values;
  if (positionals[0] !== 'polis') {
    throw new StackFault('Say what to import from: polis', `Usage: ${USAGE}`, 2);
  }
  if (activate && (apply || delta)) {
    throw new StackFault('--activate stands alone', `Usage: ${USAGE}`, 2);
  }
  const options: PolisOptions = {
    mode: activate ? 'activate' : apply ? 'apply' : 'dry-run',
    isDelta: delta === true,
    ...{ products: product, tenants: tenant, directories: directory, reportFile: report },
  };
  const interruption = listenForInterruption();
  try {
    return await importPolis(options, new Progress(), interruption.signal);
  } finally {
    interruption.dispose();
  }
}
