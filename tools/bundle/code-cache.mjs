// `node tools/bundle/code-cache.mjs <script> [start]`: writes the code that V8 compiles of a script beside
// it. The script loads all of its modules, so what they need for that is compiled, and ends: it lacks
// settings. With `start` it has some, and ends once the service answers, or cannot go on with what stands in
// for the stores: so what a start runs is compiled as well.
//
// The same script gets the same bytes, however busy the machine is. COMPILE_FLAGS in bundler.mjs are one half of
// that. The other is that the same functions run: no timer ends during a start, and it is not cut off at a request
// that is under way.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { mock } from 'node:test';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { startSettings } from './stand-in.mjs';

const PAUSE_MS = 20;
/** How often the process turns to its sockets after a start, so that all of them have been read. */
const TURNS = 10;
/** Where V8 keeps a hash of its flags in compiled code, and refuses it to a process with others. */
const FLAGS_BEGIN = 12;
const FLAGS_END = 16;

// The script sees no arguments.
const [path = '', isStarted] = process.argv.splice(2);
const script = new Script(readFileSync(path, 'latin1'), { filename: basename(path) });
const OTHER_CODE = "new vm.Script('').createCachedData().toString('hex')";
const usual = Buffer.from(
  execFileSync(process.execPath, ['-p', OTHER_CODE], { env: {}, encoding: 'utf8' }),
  'hex',
);
const keep = () => {
  const code = script.createCachedData();
  code.set(usual.subarray(FLAGS_BEGIN, FLAGS_END), FLAGS_BEGIN);
  writeFileSync(`${path}.cache`, code);
};
process.once('exit', keep);
try {
  await (isStarted ? start() : load());
} catch (error) {
  process.off('exit', keep);
  throw error;
}
process.exit();

function load() {
  script.runInThisContext()(createRequire(path), path, dirname(path));
}

async function start() {
  const exit = mock.method(process, 'exit', () => undefined);
  Object.assign(process.env, await startSettings());
  const delay = promisify(setTimeout);
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  load();
  while (exit.mock.callCount() === 0 && !(await answers())) await delay(PAUSE_MS);
  for (let turn = 0; turn < TURNS; turn += 1) await delay(PAUSE_MS);
  exit.mock.restore();
}

async function answers() {
  try {
    await fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`);
    return true;
  } catch {
    return false;
  }
}
