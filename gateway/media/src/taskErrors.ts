/** Whether an error is the system's, such as a full disk, which says nothing about the file. */
export const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** An error as the reason of a verdict, in at most 200 characters. */
export const reasonOf = (error: unknown): string =>
  String(error)
    .replace(/^(Error|InvalidMp4Error|RewrapError): /, '')
    .slice(0, 200);
