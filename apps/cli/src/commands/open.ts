import { spawn } from 'node:child_process';
import { type Command } from 'commander';
import { environment } from '../environment.js';
import { type GlobalOptions } from '../session.js';
import { chosenProfile } from '../profiles/profiles.js';

export function addOpen(program: Command): void {
  program
    .command('open')
    .description('Open the API reference in a browser, or print its address')
    .action((_options, command: Command) => open(command));
}

function open(command: Command): void {
  const { url } = chosenProfile(command.optsWithGlobals<GlobalOptions>().profile);
  const address = `${url.replace(/\/+$/, '')}/docs`;
  process.stdout.write(`${address}\n`);
  const [program, ...args] = openerOf();
  if (program === undefined) return;
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  // A machine without a browser has the address.
  child.on('error', () => undefined).unref();
}

/** What opens an address here; nothing where no person looks at a desktop. */
function openerOf(): string[] {
  if (!process.stdout.isTTY) return [];
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['explorer'];
  return environment('DISPLAY') || environment('WAYLAND_DISPLAY') ? ['xdg-open'] : [];
}
