/**
 * An expected "no" to a person, in plain sentences: what is wrong, and what can be done about it. The use
 * cases of the command line, the console and the account site throw it. The command line prints it and
 * ends with status 1; the audit log keeps it as `refused`; a page shows it in its form, or alone. A
 * program gets a `Refusal` with a code instead.
 */
export class PlainRefusal extends Error {
  override readonly name = 'PlainRefusal';
  /** A sentence for each field at fault; empty where the message says it all. */
  readonly fields: Readonly<Record<string, string>>;
  /** HTTP status of the page that shows it. */
  readonly status: 400 | 403 | 413 | 429;

  /** @param problem A sentence, or one for each field at fault: then the message is empty. */
  constructor(
    problem: string | Readonly<Record<string, string>>,
    status: PlainRefusal['status'] = 400,
  ) {
    super(typeof problem === 'string' ? problem : '');
    this.fields = typeof problem === 'string' ? {} : problem;
    this.status = status;
  }
}

/** Throws the problems that there are, by field; entries without a sentence are none. @throws PlainRefusal */
export function requireNone(problems: Record<string, string | null>): void {
  const found = Object.entries(problems).filter((each): each is [string, string] => {
    return each[1] !== null;
  });
  if (found.length > 0) throw new PlainRefusal(Object.fromEntries(found));
}
