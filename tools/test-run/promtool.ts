import { join } from 'node:path';
import { unpackDebianPackages } from '#local-stack/debian-packages.mjs';
import { toolsFolder } from '#local-stack/layout.mjs';
import { findProgram, isExecutable, type ProvisionContext } from '#local-stack/programs.mjs';

/** Finds promtool for the tests of alerts, or unpacks it from the Debian package of Prometheus. */
export async function providePromtool(context: ProvisionContext): Promise<string> {
  const found = process.env['PROMTOOL_PATH'] ?? findProgram(['promtool']);
  if (found !== undefined) return found;
  const folder = join(toolsFolder, 'prometheus');
  const path = join(folder, 'usr', 'bin', 'promtool');
  if (!isExecutable(path)) await unpackDebianPackages('prometheus', folder, context);
  return path;
}
