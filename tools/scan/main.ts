/** `npm run scan`: finds secrets of the key service in files. docs/leaks.md. */
import { isSecretPrefix } from '@gatehouse/crypto';
import { Interrupted, StackFault } from '#local-stack/fault.mjs';
import { listenForInterruption } from '#local-stack/interruption.mjs';
import { callersPath, readOptions } from '#local-stack/options.mjs';
import { Progress } from '#local-stack/progress.mjs';
import { adminApi } from '../import/targets.js';
import { scan } from './scan.js';
import { secretFormat } from './settings.js';

const USAGE = `npm run scan -- FOLDER… [options]

  --report         report what is found to the key service, which revokes it by default
  --url BASE       of the folder, for reports; the path of the file is appended
  --prefix PREFIX  the prefix of secrets; repeat it for several (SECRET_PREFIX)
  --all            also .git, .hg, .svn, node_modules, and binary files

With HMAC_SECRETS, as of the key service, only what has a valid checksum counts. Reports go to
KEY_SERVICE_URL with KEY_SERVICE_API_KEY, or to the running local stack.

Exit codes: 0 nothing found, 1 found, 2 usage, 3 nothing found but not all could be read, 78 settings,
130 interrupted.`;

const OPTIONS = {
  report: { type: 'boolean' },
  url: { type: 'string' },
  prefix: { type: 'string', multiple: true },
  all: { type: 'boolean' },
} as const;
const PATHS_MAX = 100;

export async function main(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, OPTIONS, {
    usage: USAGE,
    positionals: PATHS_MAX,
  });
  const { report = false, url = '', prefix: prefixes = [], all: isAll = false } = values;
  if (positionals.length === 0) throw new StackFault('Say which folder', `Usage: ${USAGE}`, 2);
  const fault = prefixes.find((each) => !isSecretPrefix(each));
  if (fault !== undefined) throw new StackFault(`--prefix takes words such as gate_sk`, USAGE, 2);
  if (url !== '' && !isAddress(url)) {
    throw new StackFault(
      '--url takes an http or https address without credentials and query',
      USAGE,
      2,
    );
  }
  const interruption = listenForInterruption();
  const { signal } = interruption;
  try {
    const api = report ? adminApi('key-service', signal, 'report to') : undefined;
    const format = await secretFormat(prefixes, api);
    const roots = positionals.map(callersPath);
    return await scan({ roots, format, api, url, isAll, signal, progress: new Progress() });
  } catch (error) {
    throw signal.aborted ? new Interrupted() : error;
  } finally {
    interruption.dispose();
  }
}

/** Credentials would get into events and the audit log; tokens are often in queries. */
function isAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isHttp && url.username + url.password + url.search + url.hash === '';
}
