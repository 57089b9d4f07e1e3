import { Command } from 'commander';
import { addApply } from './commands/apply.js';
import { addCompletion } from './commands/completion.js';
import { addDirectories } from './commands/directories.js';
import { addEvents } from './commands/events.js';
import { addForms } from './commands/forms.js';
import { addKeys } from './commands/keys.js';
import { addListen } from './commands/listen.js';
import { addLogin } from './commands/login.js';
import { addOpen } from './commands/open.js';
import { addUsage } from './commands/usage.js';

/** Set when the program is bundled. */
declare const VERSION: string | undefined;

const SERVERS = `
Servers, in the npm package and the image:
  gatehouse               all services in one process
  gatehouse key-service, dsync-api, dsync-worker, identity-forms, console
                          one service
  gatehouse migrate, rotate-signing-key, admin-key
                          databases and keys of the services

Results are on stdout, everything else is on stderr.
Exit codes: 0 done, 1 refused or not found, 2 usage, 3 Gatehouse is not reachable, 4 a dry run with differences.`;

/**
 * The command line. Nothing is read or sent before a command runs.
 *
 * @param json whether errors are printed as JSON, and so by the caller
 */
export function createProgram(json = false): Command {
  const program = new Command('gatehouse')
    .description('Administer Gatehouse: keys, directories, events, forms.')
    .usage('[options] <command>')
    .version(typeof VERSION === 'string' ? VERSION : 'unbundled', '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .option('--profile <name>', 'of gatehouse login; by default GATEHOUSE_URL and GATEHOUSE_KEY')
    .option('--json', 'print JSON: a document, or a line for each row of a list')
    .showHelpAfterError('Usage: gatehouse --help, or gatehouse <command> --help')
    .addHelpText('after', SERVERS)
    .configureOutput(json ? { writeErr: () => undefined } : {})
    .exitOverride();
  const parts = [addLogin, addKeys, addDirectories, addEvents, addListen, addForms, addUsage];
  for (const add of [...parts, addApply, addOpen, addCompletion]) add(program);
  return program;
}
