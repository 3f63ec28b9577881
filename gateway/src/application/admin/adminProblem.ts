/** What staff asked for cannot be done. The message is for them: what is wrong, in one sentence. */
export class AdminProblem extends Error {
  override readonly name = 'AdminProblem';
}
