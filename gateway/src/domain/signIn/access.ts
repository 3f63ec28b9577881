/*
 * The inventory of access: everything that opens an account, acts in it or spends for it. accessEnds.ts lists the acts
 * that end access, with the fate of each row; neither compiles with a row missing.
 */

/** One kind of access. */
export interface AccessRow {
  /**
   * Where it is kept: in the account's own document, in a collection of its own, in a team's document, or nowhere (a
   * signature that only its holder has).
   */
  storedIn: 'account' | 'external' | 'team' | 'nowhere';
  givenBy: string;
  /** The proof required of its giver. */
  proof: string;
  /** The most that its holder may do. */
  mayAtMost: string;
  /** Latest end of the access without any act. */
  latestEnd: string;
}

const forGood = 'none';

/** All kinds of access to a person's own account, and of that person to other people's accounts. */
export const accesses = {
  password: {
    storedIn: 'account',
    givenBy: 'its person, with a code from an email or with the previous password',
    proof: 'the mailbox, or the password',
    mayAtMost: 'sign in; with a second factor, if there is one',
    latestEnd: forGood,
  },
  identity: {
    storedIn: 'account',
    givenBy: 'its person, in a session',
    proof: "the password and the second factor; for a new account the provider's statement",
    mayAtMost: 'sign in; with a second factor, if there is one',
    latestEnd: forGood,
  },
  'second factor': {
    storedIn: 'external',
    givenBy: 'its person, in a session',
    proof: 'the password and a code',
    mayAtMost: 'complete a sign-in',
    latestEnd: forGood,
  },
  'recovery codes': {
    storedIn: 'external',
    givenBy: 'its person, in a session',
    proof: 'the password and a code',
    mayAtMost: 'complete a sign-in, each once',
    latestEnd: 'their use',
  },
  passkey: {
    storedIn: 'external',
    givenBy: 'a staff member',
    proof: 'the password and an enrolment link, or a factor of the console',
    mayAtMost: 'complete a sign-in to the console, and confirm an act there',
    latestEnd: forGood,
  },
  'enrolment link': {
    storedIn: 'external',
    givenBy: 'the operator',
    proof: "the operator's machine",
    mayAtMost: 'replace the factor of the console, and the password where it says so, once',
    latestEnd: 'an hour',
  },
  'mailed code': {
    storedIn: 'external',
    givenBy: 'anyone, to the mailbox of the account',
    proof: 'none: it proves the mailbox to us',
    mayAtMost:
      'set a password, move the account to an address, or stand for a missing password, once',
    latestEnd: 'ten minutes',
  },
  'sign-in link': {
    storedIn: 'external',
    givenBy: 'an operator key',
    proof: 'the scope sign-in-links:write',
    mayAtMost: 'sign in, once',
    latestEnd: 'a minute',
  },
  'password proof': {
    storedIn: 'nowhere',
    givenBy: 'the sign-in',
    proof: 'the password',
    mayAtMost: 'enter the code of the second factor',
    latestEnd: 'ten minutes',
  },
  'site session': {
    storedIn: 'external',
    givenBy: 'the sign-in',
    proof: 'password, link or identity, and the second factor',
    mayAtMost: 'what its person may; new access only with the password and the second factor',
    latestEnd: 'a week unused, 30 days',
  },
  'console session': {
    storedIn: 'external',
    givenBy: 'the sign-in of staff',
    proof: 'password or identity, and the second factor',
    mayAtMost: 'what the role of staff may; move credits and erase only with the second factor',
    latestEnd: 'half an hour unused, eight hours',
  },
  'remembered browser': {
    storedIn: 'nowhere',
    givenBy: 'a finished sign-in',
    proof: 'that of the sign-in',
    mayAtMost: 'have its failed sign-ins counted apart',
    latestEnd: '180 days',
  },
  'own key': {
    storedIn: 'account',
    givenBy: "the account's own person, or the operator",
    proof: 'the password and the second factor, or a scope',
    mayAtMost: 'create and read within its models, hosts and limits',
    latestEnd: forGood,
  },
  'shared link': {
    storedIn: 'external',
    givenBy: 'its person or a member',
    proof: 'a session',
    mayAtMost: 'show one result',
    latestEnd: '30 days',
  },
  'URL of a file': {
    storedIn: 'nowhere',
    givenBy: 'whoever may read the generation',
    proof: 'a session or a key',
    mayAtMost: 'load one file',
    latestEnd: 'a day',
  },
  member: {
    storedIn: 'account',
    givenBy: 'an owner by an invitation, or the operator',
    proof: "the owner's password and second factor, and the invited mailbox",
    mayAtMost: "what the role may, within the member's limit",
    latestEnd: forGood,
  },
  'key of a member': {
    storedIn: 'account',
    givenBy: 'a member',
    proof: 'the password and the second factor',
    mayAtMost: "create and read within its own limits and its maker's",
    latestEnd: forGood,
  },
  'invitation sent': {
    storedIn: 'account',
    givenBy: 'an owner',
    proof: 'the password and the second factor',
    mayAtMost: 'make the verified owner of one address a member, once',
    latestEnd: 'a week',
  },
  'place in a team': {
    storedIn: 'team',
    givenBy: 'an owner of that team, or the operator',
    proof: "the owner's password and second factor, and this person's mailbox",
    mayAtMost: "what the role may, within the member's limit",
    latestEnd: forGood,
  },
  'key made in a team': {
    storedIn: 'team',
    givenBy: 'this person',
    proof: 'the password and the second factor',
    mayAtMost: "create and read within its own limits and its maker's",
    latestEnd: forGood,
  },
  'invitation received': {
    storedIn: 'team',
    givenBy: 'an owner of that team',
    proof: "the owner's password and second factor",
    mayAtMost: 'join once, as the verified owner of the address',
    latestEnd: 'a week',
  },
  'operator key': {
    storedIn: 'external',
    givenBy: 'the operator',
    proof: "the operator's machine",
    mayAtMost: 'what its scopes name, from its addresses, for every customer',
    latestEnd: 'its expiry, if it has one',
  },
} as const satisfies Record<string, AccessRow>;

/** A row of the inventory. */
export type AccessKind = keyof typeof accesses;

/** Access that is removed from a collection of its own, by the id of its account. */
export type ExternalAccessKind = Exclude<
  {
    [Row in AccessKind]: (typeof accesses)[Row]['storedIn'] extends 'external' ? Row : never;
  }[AccessKind],
  'operator key'
>;
