/** `refundedCredits` of `domain/refund.ts` as an expression of the database. */
export const refundedCredits = {
  $cond: [{ $eq: ['$status', 'failed'] }, { $ifNull: ['$refundedCredits', '$costCredits'] }, 0],
};

/** The cost of a generation without its refund. */
export const keptCredits = { $subtract: ['$costCredits', refundedCredits] };
