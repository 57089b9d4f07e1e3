// @ts-check

/** A problem that the user can fix: the message says what is wrong, the remedy what to type. */
export class StackFault extends Error {
  /**
   * @param {string} message what is wrong
   * @param {string} [remedy] what to do or type
   * @param {number} [exitCode]
   */
  constructor(message, remedy, exitCode = 1) {
    super(message);
    this.name = 'StackFault';
    this.remedy = remedy;
    this.exitCode = exitCode;
  }
}

/** The user interrupted the command (Ctrl-C, SIGTERM, SIGHUP). */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

/** The command line asks how a command is used. */
export class HelpRequested extends Error {
  /** @param {string} usage */
  constructor(usage) {
    super(usage);
    this.name = 'HelpRequested';
  }
}

const DISK_FULL = /No space left on device|ENOSPC/;

/**
 * @param {string} reason what ended a program
 * @param {string} logFile
 * @param {string} end its last lines
 * @param {string} [remedy]
 */
export function faultOfLog(reason, logFile, end, remedy) {
  if (DISK_FULL.test(end)) return diskFullFault(`${reason}: ${logFile}`);
  return new StackFault(`${reason}. The end of ${logFile}:\n${end}`, remedy);
}

/** @param {string} where */
function diskFullFault(where) {
  return new StackFault(
    `The disk is full (${where})`,
    'A start needs about 650 MB. Free some space, then try again.',
  );
}

/**
 * A readable line for an error of any kind, network faults included (an AggregateError of Node's
 * has an empty message).
 * @param {unknown} error
 * @returns {string}
 */
export function reasonOf(error) {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${reasonOf(error.cause)}` : '';
  return `${error.message || error.name}${cause}`;
}

/**
 * Makes foreign text safe for a terminal: escapes control characters, which could clear the screen or
 * imitate other lines, except line ends and tabs.
 * @param {string} text
 * @returns {string}
 */
export function printable(text) {
  // oxlint-disable-next-line no-control-regex -- these are what it escapes
  return text.replace(/[\0-\x08\v-\x1f\x7f-\x9f]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}

/** @param {unknown} error prints it for a person: a fault in two lines, a bug with its stack */
export function printFault(error) {
  if (error instanceof Interrupted) {
    process.stderr.write('\nInterrupted.\n');
    return;
  }
  if (error instanceof StackFault) {
    process.stderr.write(`\n✗ ${printable(error.message)}\n`);
    if (error.remedy) process.stderr.write(`  ${error.remedy.replaceAll('\n', '\n  ')}\n`);
    return;
  }
  process.stderr.write(`\n✗ ${error instanceof Error ? error.stack : String(error)}\n`);
}

/**
 * Runs a command's main function and sets the exit code: its own number, 0 after its help, 130 when
 * interrupted, otherwise that of the fault.
 * @param {() => Promise<number | void>} main
 */
export async function runMain(main) {
  // Writing to a closed terminal must not crash an orderly stop.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  try {
    requireNode(process.versions.node);
    process.exitCode = (await main()) ?? 0;
  } catch (thrown) {
    if (thrown instanceof HelpRequested) {
      process.stdout.write(`Usage: ${thrown.message}\n`);
      return;
    }
    const error = fileFault(thrown) ?? thrown;
    printFault(error);
    process.exitCode = error instanceof Interrupted ? 130 : 1;
    if (error instanceof StackFault) process.exitCode = error.exitCode;
  }
}

/**
 * @param {unknown} error
 * @returns {StackFault | undefined} the fault, if a file may not or cannot be read or written
 */
function fileFault(error) {
  const { code, path } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code === 'ENOSPC') return diskFullFault(path ?? reasonOf(error));
  if (code !== 'EACCES' || path === undefined) return undefined;
  return new StackFault(
    `No permission for ${path}: this stack belongs to another user`,
    'Work as that user, or in a clone of your own.',
  );
}

/**
 * @param {string} version of Node.js, such as 20.19.0
 */
function requireNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new StackFault(
    `Gatehouse needs Node.js 20.19 or newer; this is ${version}`,
    'Install it from https://nodejs.org or with your version manager (`nvm install 20`).',
  );
}
