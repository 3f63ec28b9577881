/** A person of whom an erasure may have left traces. Times in ms since the epoch. */
export interface SoughtPerson {
  /** The account's id. */
  id: string;
  /** The former address; null once forgotten. */
  email: string | null;
  /** When the erasure began: later documents belong to a new account of the same mailbox. */
  since: number;
}

/** A place where a document names such a person. */
export interface FoundName {
  id: string;
  by: 'id' | 'email';
  /** Names of its fields, joined by dots; array items have the name of their array. */
  field: string;
}

/** The people to search for, by id and address. */
export interface PeopleIndex {
  byId: ReadonlyMap<string, SoughtPerson>;
  byEmail: ReadonlyMap<string, SoughtPerson>;
}

/** Indexes people by id and address for a search. */
export function indexPeople(people: readonly SoughtPerson[]): PeopleIndex {
  return {
    byId: new Map(people.map((person) => [person.id, person])),
    byEmail: new Map(
      people.flatMap((person) => (person.email === null ? [] : [[person.email, person]])),
    ),
  };
}

const idPattern = /acct_[0-9a-z]{26}/g;

/**
 * Finds people in all texts of a document, and in the names of its fields. A text is as old as the earliest time in the
 * innermost part around it that has one; an address in a text from after the erasure does not count.
 */
export function findPeople(document: object, sought: PeopleIndex): FoundName[] {
  const names: FoundName[] = [];
  const look = (value: string, field: string, at: number | null) => {
    for (const [id] of value.matchAll(idPattern)) {
      if (sought.byId.has(id)) names.push({ id, by: 'id', field });
    }
    for (const email of sought.byEmail.size === 0 ? [] : emailsIn(value)) {
      const person = sought.byEmail.get(email);
      if (person && (at === null || at < person.since)) {
        names.push({ id: person.id, by: 'email', field });
      }
    }
  };
  const walk = (value: unknown, field: string, at: number | null): void => {
    if (typeof value === 'string') {
      look(value, field, at);
    } else if (Array.isArray(value)) {
      for (const item of value) walk(item, field, at);
    } else if (isPart(value)) {
      const within = earliestIn(value) ?? at;
      for (const [name, each] of Object.entries(value)) {
        const path = field === '' ? name : `${field}.${name}`;
        look(name, path, within);
        walk(each, path, within);
      }
    }
  };
  walk(document, '', null);
  return names;
}

/** Whether a value is part of a document, not one of the driver's own such as an id or a time. */
const isPart = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('_bsontype' in value);

function earliestIn(part: object): number | null {
  const times = Object.values(part).flatMap((each) =>
    each instanceof Date && each.getTime() > 0 ? [each.getTime()] : [],
  );
  return times.length === 0 ? null : Math.min(...times);
}

/** Maximum length of the parts of an address, in characters. */
const maxLength = { local: 64, domain: 255 };
/** Maximum emails examined in one text, so that a text full of them does not block the process. */
const maxEmails = 2_000;
/** Characters that an address cannot contain, or that often surround one. */
const outside = /[\s@<>()[\]\\,;:"]/u;
const neighbour = /[^\p{L}\p{N}._+-]/u;

/** The emails in a text, in lower case: the longest before each `@`, and the one of plain letters. */
function emailsIn(value: string): Set<string> {
  const emails = new Set<string>();
  if (!value.includes('@')) return emails;
  const text = value.toLowerCase();
  let at = text.indexOf('@');
  for (let looked = 0; at !== -1 && looked < maxEmails; looked += 1) {
    const domain = startOf(text.slice(at + 1, at + 1 + maxLength.domain), /[^a-z0-9.-]/u);
    const host = domain.replace(/[.-]{1,255}$/, '');
    const before = [...text.slice(Math.max(0, at - maxLength.local), at)].reverse().join('');
    for (const stop of [outside, neighbour]) {
      const local = [...startOf(before, stop)].reverse().join('');
      if (local !== '' && host !== '') emails.add(`${local}@${host}`);
    }
    at = text.indexOf('@', at + 1);
  }
  return emails;
}

/** The text before the first match of the pattern. */
function startOf(text: string, stop: RegExp): string {
  const end = text.search(stop);
  return end === -1 ? text : text.slice(0, end);
}
