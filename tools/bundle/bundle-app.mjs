// @ts-check
// `node tools/bundle/bundle-app.mjs <app>`: bundles the programs of an app to .build/bundles/<app>.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBundle, programsOf } from './bundler.mjs';

const [app = ''] = process.argv.slice(2);
const folder = join('.build', 'bundles', app);
rmSync(folder, { recursive: true, force: true });
const build = await openBundle(programsOf(app), folder, { started: 'main' });
await build.rebuild();
await build.dispose();
if (app === 'gatehouse') {
  cpSync(join(import.meta.dirname, 'gatehouse.mjs'), join(folder, 'gatehouse.js'));
}
writeManifest();

/** The version that the program reports. */
function writeManifest() {
  const { version, type, license } = JSON.parse(readFileSync('package.json', 'utf8'));
  const revision = process.env['REVISION'];
  const own = { name: `@gatehouse/${app}`, version, revision, private: true, type, license };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
}
