import { faultOfLog, HelpRequested, Interrupted, printable, runMain } from './fault.mjs';
import { readOptions } from './options.mjs';

it('escapes control characters for a terminal, but for line ends and tabs', () => {
  expect(printable('\u001b[2J\u001b]0;x\u0007a\r\n\tb\u009bé')).toBe(
    '\\x1b[2J\\x1b]0;x\\x07a\\x0d\n\tb\\x9bé',
  );
});

it('says first that the disk is full, and what a start needs', () => {
  const end = 'initdb: error: could not write\nNo space left on device\ninitdb: removing';
  expect(faultOfLog('initdb ended with 1', 'initdb.log', end)).toMatchObject({
    message: 'The disk is full (initdb ended with 1: initdb.log)',
    remedy: 'A start needs about 650 MB. Free some space, then try again.',
  });
  expect(faultOfLog('initdb ended with 1', 'initdb.log', 'a reason', 'do it')).toMatchObject({
    message: 'initdb ended with 1. The end of initdb.log:\na reason',
    remedy: 'do it',
  });
});

describe('runMain', () => {
  const written: string[] = [];
  const streams = [process.stdout, process.stderr] as const;
  const originals = streams.map((stream) => stream.write);
  const { exitCode } = process;

  beforeEach(() => {
    written.length = 0;
    streams.forEach((stream, index) => {
      const name = index === 0 ? 'out' : 'err';
      stream.write = (text: string | Uint8Array) => written.push(`${name}: ${String(text)}`) > 0;
    });
  });
  const run = async (main: () => Promise<number | void>) => {
    await runMain(main);
    streams.forEach((stream, index) => (stream.write = originals[index] ?? stream.write));
    const code = process.exitCode;
    process.exitCode = exitCode;
    return { code: code ?? 0, written };
  };

  it.each(['--help', '-h'])('prints the help that %s asks for, and ends with 0', async (flag) => {
    const main = () => Promise.resolve(void readOptions(['up', flag], {}, { usage: 'npm x' }));
    expect(await run(main)).toEqual({ code: 0, written: ['out: Usage: npm x\n'] });
  });

  it('says that it was interrupted', async () => {
    const main = () => Promise.reject(new Interrupted());
    expect(await run(main)).toEqual({ code: 130, written: ['err: \nInterrupted.\n'] });
  });

  it('says that the disk is full', async () => {
    const error = Object.assign(new Error('no space'), { code: 'ENOSPC', path: '/a/b' });
    expect(await run(() => Promise.reject(error))).toMatchObject({
      code: 1,
      written: ['err: \n✗ The disk is full (/a/b)\n', expect.stringContaining('650 MB')],
    });
  });
});

it('asks for help before anything else is checked', () => {
  const read = () => readOptions(['--unknown', '--help'], {}, { usage: 'npm x' });
  expect(read).toThrow(HelpRequested);
});
