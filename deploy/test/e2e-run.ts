import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { workspace } from '#local-stack/layout.mjs';

/** End-to-end tests that use each service, its stores and its messages. */
const FILES = [
  'apps/key-service/test/verification',
  'apps/key-service/test/webhook-delivery',
  'apps/dsync-e2e/test/management-keys',
  'apps/dsync-e2e/test/queue-board.e2e',
  'apps/identity-forms/test/decode-message',
  'apps/identity-forms/test/flows',
  'apps/identity-forms/test/submission-limits',
  'apps/gatehouse/test/move',
];

/**
 * Runs end-to-end tests on other stores than those of this run.
 * @param stores the variables that name them
 * @returns what Jest printed if a test failed
 */
export async function failuresOn(stores: Readonly<Record<string, string>>): Promise<string> {
  const jest = join(workspace, 'node_modules', '.bin', 'jest');
  const child = spawn(process.execPath, [jest, '--maxWorkers=1', '--silent', ...FILES], {
    cwd: workspace,
    env: {
      ...process.env,
      JEST_WORKER_ID: undefined,
      TEST_TIER: 'e2e',
      TEST_PACE: 'all',
      ...stores,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  }
  const code = await new Promise((resolve) => child.once('exit', resolve));
  const ran = (printed.match(/^PASS /gm) ?? []).length;
  return code === 0 && ran === FILES.length ? '' : printed;
}
