// `node tools/bundle/code-cache.mjs <script> [start]`: writes the code that V8 compiles of a script beside
// it. The script loads all of its modules, so what they need for that is compiled, and ends: it lacks
// settings. With `start` it has some, and ends once the service answers, or cannot go on with what stands in
// for the stores: so what a start runs is compiled as well.
//
// The same script gets the same bytes (see COMPILE_FLAGS in bundler.mjs) unless the start goes on in another order.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Script } from 'node:vm';
import { startSettings } from './stand-in.mjs';

const PAUSE_MS = 20;
/** Where V8 keeps a hash of its flags in compiled code, and refuses it to a process with others. */
const FLAGS_BEGIN = 12;
const FLAGS_END = 16;

// The script sees no arguments.
const [path = '', isStarted] = process.argv.splice(2);
if (isStarted) Object.assign(process.env, await startSettings());
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
  script.runInThisContext()(createRequire(path), path, dirname(path));
  while (isStarted && !(await answers())) await delay(PAUSE_MS);
} catch (error) {
  process.off('exit', keep);
  throw error;
}
process.exit();

async function answers() {
  try {
    await fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`);
    return true;
  } catch {
    return false;
  }
}
