/** What is wrong with a form, by field; shown to the person who sent it, who can put it right. */
export class FormProblem extends Error {
  override readonly name = 'FormProblem';
  /** A sentence for each field at fault. */
  readonly fields: Readonly<Record<string, string>>;
  /** HTTP status of the page that shows it. */
  readonly status: 400 | 429;

  /** @param message What holds for the form as a whole; empty when the fields say it all. */
  constructor(fields: Record<string, string>, message = '', status: 400 | 429 = 400) {
    super(message);
    this.fields = fields;
    this.status = status;
  }
}

/** Throws the problems that there are; entries without a sentence are none. */
export function requireNone(problems: Record<string, string | null>): void {
  const found = Object.entries(problems).filter((each): each is [string, string] => {
    return each[1] !== null;
  });
  if (found.length > 0) throw new FormProblem(Object.fromEntries(found));
}
