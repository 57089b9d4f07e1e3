/** `npm run import`: moves the records of another product here. docs/moving-from-polis.md and its siblings. */
import { Interrupted, printable, StackFault } from '#local-stack/fault.mjs';
import { listenForInterruption } from '#local-stack/interruption.mjs';
import { readOptions } from '#local-stack/options.mjs';
import { Progress } from '#local-stack/progress.mjs';
import { importKratos } from './kratos/import-kratos.js';
import { rowOfUnkey } from './keys/unkey-row.js';
import { importPolis, type PolisOptions } from './polis/import-polis.js';
import { importKeyFile, importTalos } from './talos/import-talos.js';
import { type Row } from './rows.js';

const USAGE = `npm run import -- polis|talos|unkey|keys|kratos [options]

  --apply            write; without it, show what would be written
  --report FILE      write the whole report as JSON

  polis   --delta          only directories that were imported before
          --activate       complete the import: webhooks send from now on
          --discard        delete imported directories that were not activated
          --product NAME   only this product; repeat it for several
          --tenant NAME    only this tenant; repeat it for several
          --directory ID   only this directory; repeat it for several
  talos   --keys FILE      raw keys: CSV, JSON lines or a JSON list
  unkey   --keys FILE      rows of its table of keys, in these formats
  keys    --keys FILE      raw keys or hashes of any system, in these formats
  kratos  --identities FILE, --schemas FILE
                           exported identities and schemas: JSON lines or a JSON list

Credentials come from the environment: POLIS_URL and POLIS_API_KEY, or POLIS_DATABASE_URL and
POLIS_DB_ENCRYPTION_KEY; TALOS_URL and TALOS_API_KEY; IMPORT_HMAC_KEY. Each may be given as NAME_FILE, the path of a file
with the value.

Exit codes: 0 done, 1 failed, 2 usage, 3 done with conflicts, 78 settings, 130 interrupted.`;

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;
const OPTIONS = {
  polis: {
    delta: flag,
    activate: flag,
    discard: flag,
    product: texts,
    tenant: texts,
    directory: texts,
  },
  talos: { keys: text },
  unkey: { keys: text },
  keys: { keys: text },
  kratos: { identities: text, schemas: text },
};

/** Names and messages come from the other product. */
const TERMINAL = { write: (text: string) => process.stdout.write(printable(text)) };

export async function main(args: string[], progress = new Progress(TERMINAL)): Promise<number> {
  const interruption = listenForInterruption();
  try {
    return await run(args, progress, interruption.signal);
  } catch (error) {
    throw interruption.signal.aborted ? new Interrupted() : error;
  } finally {
    interruption.dispose();
  }
}

function run([source = '', ...args]: string[], progress: Progress, signal: AbortSignal) {
  const shared = { apply: flag, report: text };
  if (source.startsWith('-')) readOptions([source], shared, { usage: USAGE });
  if (source === 'polis') {
    const { values } = readOptions(args, { ...shared, ...OPTIONS.polis }, { usage: USAGE });
    return importPolis(polisOptions(values), progress, signal);
  }
  if (source === 'talos') {
    const { values } = readOptions(args, { ...shared, ...OPTIONS.talos }, { usage: USAGE });
    const { apply = false, keys: keysFile, report: reportFile } = values;
    return importTalos({ isApplied: apply, keysFile, reportFile }, progress, signal);
  }
  if (source === 'unkey' || source === 'keys') {
    const { values } = readOptions(args, { ...shared, ...OPTIONS[source] }, { usage: USAGE });
    const { apply = false, keys: keysFile, report: reportFile } = values;
    const read = source === 'unkey' ? rowOfUnkey : (row: Row) => row;
    return importKeyFile({ isApplied: apply, keysFile, reportFile }, read, progress, signal);
  }
  if (source === 'kratos') {
    const { values } = readOptions(args, { ...shared, ...OPTIONS.kratos }, { usage: USAGE });
    const { apply = false, report: reportFile } = values;
    const files = { identitiesFile: values.identities, schemasFile: values.schemas };
    return importKratos({ isApplied: apply, ...files, reportFile }, progress, signal);
  }
  throw new StackFault(
    'Say what to import from: polis, talos, unkey, keys or kratos',
    `Usage: ${USAGE}`,
    2,
  );
}

interface PolisArguments {
  apply?: boolean;
  delta?: boolean;
  activate?: boolean;
  discard?: boolean;
  product?: string[];
  tenant?: string[];
  directory?: string[];
  report?: string;
}

function polisOptions(values: PolisArguments): PolisOptions {
  const { apply = false, delta = false, activate = false, discard = false, report } = values;
  const { product: products = [], tenant: tenants = [], directory: directories = [] } = values;
  if (activate && (apply || delta || discard)) {
    throw new StackFault('--activate stands alone', `Usage: ${USAGE}`, 2);
  }
  if (discard && (delta || report !== undefined)) {
    throw new StackFault('--discard takes --apply and --directory only', `Usage: ${USAGE}`, 2);
  }
  const task = activate ? 'activate' : discard ? 'discard' : 'import';
  const scope = { products, tenants, directories };
  return { task, isDryRun: !apply, isDelta: delta, ...scope, reportFile: report };
}
