/**
 * Loads a package that is for trying out, which an installation for production does not have.
 * @param missing Thrown where the package is not installed; every other error is thrown as it is.
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
