// `node tools/bundle/code-cache.mjs <script>`: writes the code that V8 compiles of a script beside it. The
// script loads all of its modules, so what they need for that is compiled, and ends: it lacks settings.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

// The script sees no arguments.
const [path = ''] = process.argv.splice(2);
const script = new Script(readFileSync(path, 'latin1'), { filename: path });
process.once('exit', () => writeFileSync(`${path}.cache`, script.createCachedData()));
script.runInThisContext()(createRequire(path), path, dirname(path));
process.exit();
