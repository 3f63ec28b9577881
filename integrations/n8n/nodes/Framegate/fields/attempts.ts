/** Attempts that the editor and expressions may ask for. */
export const attemptsRange = { min: 1, max: 5 };
