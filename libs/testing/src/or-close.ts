/** Runs a setup step on a resource that is already open, and closes the resource if it fails. */
export async function orClose<T>(
  close: () => Promise<unknown>,
  setUp: () => Promise<T>,
): Promise<T> {
  try {
    return await setUp();
  } catch (error) {
    await close();
    throw error;
  }
}
