/** The cost of a generation without its refund. */
export const keptCredits = { $subtract: ['$costCredits', '$refundedCredits'] };
