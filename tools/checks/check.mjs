// @ts-check
// The frame of the checks in this folder: each is a program that prints one line a check and ends
// with 1 when one failed.

let passed = 0;
let failed = 0;

/**
 * Runs one check and prints whether it held.
 *
 * @param {string} what
 * @param {() => void | Promise<void>} run throws when it does not hold
 */
export async function check(what, run) {
  try {
    await run();
    passed += 1;
    process.stdout.write(`ok       ${what}\n`);
  } catch (error) {
    failed += 1;
    const reason = error instanceof Error ? error.message : String(error);
    process.stdout.write(`problem  ${what}\n${reason.replaceAll(/^/gm, '         ')}\n`);
  }
}

/**
 * Prints the sum and sets the exit code; the last call of a check.
 *
 * @param {string} [note] what could not be checked here
 */
export function finish(note) {
  if (note !== undefined) process.stdout.write(`note     ${note}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
