/** Whether an error is the system's, such as a full disk, and no verdict on the file. */
export const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
