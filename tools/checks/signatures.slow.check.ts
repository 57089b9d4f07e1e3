/** The installed packages are those that their authors published: the registry has signed each. */
import { spawnSync } from 'node:child_process';
import { workspace } from '#local-stack/layout.mjs';

interface Audit {
  error?: { code?: string; summary?: string };
  invalid?: unknown[];
  missing?: unknown[];
}

const UNREACHABLE = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);
/** The answer of npm where no registry publishes its keys. */
const NO_KEYS = 'found no dependencies to audit that were installed from a supported registry';
const TITLE = 'every package has a valid signature of its registry';

const args = ['audit', 'signatures', '--json', '--fetch-retries=0'];
const { stdout } = spawnSync('npm', args, { cwd: workspace, encoding: 'utf8' });
const audit = JSON.parse(stdout) as Audit;
const missing = reasonToSkip(audit);

if (missing !== undefined) it.skip(`${TITLE} (not run: ${missing})`, () => undefined);
else {
  it(TITLE, () => {
    expect(audit).toEqual({ invalid: [], missing: [] });
  });
}

function reasonToSkip({ error }: Audit): string | undefined {
  const { code = '', summary = '' } = error ?? {};
  if (UNREACHABLE.has(code)) return `the keys of the registry are out of reach, ${code}`;
  return summary.includes(NO_KEYS) ? 'the registry has no keys' : undefined;
}
