/** The command `gatehouse`. */
import { CommanderError } from 'commander';
import { EXIT, Failure } from './failure.js';
import { reportFailure } from './output/report-failure.js';
import { createProgram } from './program.js';

// A reader such as `head` ends when it has enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

async function main(args: readonly string[]): Promise<void> {
  const json = args.includes('--json');
  try {
    await createProgram(json).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) process.exitCode = reportFailure(error, json);
    else if (error.exitCode !== 0) process.exitCode = wrongUsage(error, json);
  }
}

/** What is wrong was printed by commander, unless it is to be JSON. */
function wrongUsage({ code, message }: CommanderError, json: boolean): number {
  if (!json) return EXIT.USAGE;
  const text = code === 'commander.help' ? 'A command is missing.' : message;
  return reportFailure(new Failure(text.replace(/^error: /, ''), EXIT.USAGE), json);
}

void main(process.argv.slice(2));
