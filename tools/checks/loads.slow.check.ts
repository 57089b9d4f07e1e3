/**
 * Module counts of pure code and of the programs: a barrel or a framework import slows every start and
 * every test file, and nothing else shows it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBundle } from '../bundle/bundler.mjs';
import { workspace } from '#local-stack/layout.mjs';
import { APP_NAMES } from '#local-stack/ports.mjs';

const PURE_MODULES_MAX = 60;
const BUNDLE_BYTES_MAX = 8 * 1024 * 1024;
/** It contains all services. */
const GATEHOUSE_BYTES_MAX = 10 * 1024 * 1024;
/** Code that a start runs, by that of loading the modules alone: 1.13 to 1.2 at present. */
const STARTED_BY_LOADED_MIN = 1.1;

/** Libraries above the bound, with their own. */
const EXCEPTIONS: Readonly<Record<string, number>> = {
  // 68 modules of Ajv.
  'form-decoder': 130,
  // ioredis and pg.
  'kit/exchange': 150,
  // ioredis.
  'kit/redis': 75,
  // All of class-validator, of which a bundle contains only what is used.
  'kit/settings': 360,
};

/**
 * Prints the files that were loaded when the process ends, also when it ends itself. Compiled code has the name of its
 * script without a folder.
 */
const COUNTER = `
import { Session } from 'node:inspector';
import { writeSync } from 'node:fs';
const files = new Set();
const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params: { url } }) => {
  if (/^file:|^\\w+\\.script\\.js$/.test(url) && !url.endsWith(']')) files.add(url);
});
session.post('Debugger.enable');
process.on('exit', () => writeSync(1, '\\n' + JSON.stringify([...files])));
await import(process.argv[1]);`;

/** Prints whether V8 has refused the compiled code of a script. */
const REJECTION = `data:text/javascript,${encodeURIComponent(`
import { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';
vm.Script = class extends vm.Script {
  constructor(...options) {
    super(...options);
    process.stdout.write('rejected: ' + this.cachedDataRejected);
  }
};
syncBuiltinESMExports();`)}`;

const libraries = readdirSync(join(workspace, 'libs')).flatMap((name) => {
  const { tags } = JSON.parse(
    readFileSync(join(workspace, 'libs', name, 'project.json'), 'utf8'),
  ) as { tags: string[] };
  if (tags.includes('type:pure')) return [name];
  if (name !== 'kit') return [];
  const sources = join(workspace, 'libs', name, 'src');
  const entries = readdirSync(sources).filter((entry) =>
    existsSync(join(sources, entry, 'index.ts')),
  );
  return entries.map((entry) => `${name}/${entry}`);
});

it.each(libraries)('%s loads few modules', (library) => {
  const [name = '', ...entry] = library.split('/');
  const files = filesLoadedBy(join('dist', 'libs', name, 'src', ...entry, 'index.js'));
  const most = EXCEPTIONS[library] ?? PURE_MODULES_MAX;
  assert.ok(files.length <= most, `${files.length} modules, more than ${most}`);
});

describe.each([...APP_NAMES, 'gatehouse'])('the bundle of %s', (app) => {
  const script = join(workspace, 'dist', 'bundles', app, 'main.script.js');

  it('contains all that a start needs', () => {
    // Without settings it ends once all modules are loaded.
    const files = filesLoadedBy(join('dist', 'bundles', app, 'main.js'));
    assert.deepEqual(
      files.map((file) => basename(file)),
      ['main.js', 'main.script.js'],
    );
    const { size } = statSync(script);
    const most = app === 'gatehouse' ? GATEHOUSE_BYTES_MAX : BUNDLE_BYTES_MAX;
    assert.ok(size <= most, `${size} bytes`);
  });

  it('starts from compiled code, whatever bounds its heap', () => {
    const { stdout } = spawnSync(process.execPath, [join(dirname(script), 'main.js')], {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        NODE_OPTIONS: `--max-old-space-size=300 --import=${REJECTION}`,
      },
    });
    assert.equal(stdout, 'rejected: false');
  });

  it('has the compiled code of a start, and not only of its modules', () => {
    const folder = join(workspace, '.local', 'test', `loaded-${app}-${process.pid}`);
    try {
      cpSync(dirname(script), folder, {
        recursive: true,
        filter: (file) => !file.endsWith('.map'),
      });
      const copy = join(folder, basename(script));
      const compile = join(workspace, 'tools', 'bundle', 'code-cache.mjs');
      spawnSync(process.execPath, [compile, copy], { env: {} });
      const bytesOf = (file: string) => statSync(`${file}.cache`).size;
      const [kept, loaded] = [bytesOf(script), bytesOf(copy)];
      assert.ok(kept > STARTED_BY_LOADED_MIN * loaded, `${kept} bytes, of which ${loaded} to load`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

it('a stack trace of a bundle names the sources', async () => {
  const folder = join(workspace, '.local', 'test', `bundle-${process.pid}`);
  const copy = `${folder}-copy`;
  const bundle = await openBundle({ main: 'tools/bundle/test/throwing.ts' }, folder);
  try {
    await bundle.rebuild();
    renameSync(folder, copy);
    // A service could do nothing else while it parses a map.
    rmSync(join(copy, 'main.script.js.map'));
    const printed = () =>
      spawnSync(process.execPath, [join(copy, 'main.js')], { encoding: 'utf8' }).stdout.split('\n');
    assert.deepEqual(printed().slice(0, 2), [
      'TypeError: of a test',
      '    at failing (tools/bundle/test/throwing.ts:6:9)',
    ]);
    rmSync(join(copy, 'main.script.js.positions'));
    assert.equal(printed()[0], 'TypeError: of a test');
  } finally {
    await bundle.dispose();
    for (const each of [folder, copy]) rmSync(each, { recursive: true, force: true });
  }
});

function filesLoadedBy(module: string): string[] {
  const url = pathToFileURL(join(workspace, module)).href;
  const args = ['--input-type=module', '--eval', COUNTER, url];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  const last = stdout.split('\n').at(-1) ?? '';
  assert.match(last, /^\[/, stderr);
  return JSON.parse(last) as string[];
}
