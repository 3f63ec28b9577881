/** Number of attempts accepted by the editor and by expressions. */
export const attemptsRange = { min: 1, max: 5 };
