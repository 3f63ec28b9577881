/**
 * Loads an evaluation package that production installations do not have.
 * @param missing Thrown if the package is not installed; other errors are passed on.
 */
export async function loadPackage<T>(
  name: string,
  load: () => Promise<T>,
  missing: Error,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && error.message.includes(`'${name}'`);
    throw isMissing ? missing : error;
  }
}
