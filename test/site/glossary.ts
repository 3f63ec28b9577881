/** A word of the interface, and those that mean the same and are never used in its place. */
export interface Word {
  use: string;
  /** Whole words or phrases in lower case; they also count at the start of a sentence. */
  not: readonly string[];
}

/** English of pages, emails and the APIs' errors, as product writers of the field use it. */
const en: readonly Word[] = [
  { use: 'email', not: ['mail', 'mails', 'mailed', 'e-mail', 'e-mails'] },
  { use: 'inbox', not: ['mailbox', 'mailboxes'] },
  { use: 'status', not: ['state', 'states'] },
  { use: 'two-factor authentication', not: ['second factor', 'second factors'] },
  { use: 'authenticator app', not: ['app for codes', 'code of your app', 'code in the app'] },
  { use: 'passkey', not: ['security key', 'pass key'] },
  { use: 'someone', not: ['somebody'] },
  { use: 'no one', not: ['nobody'] },
  { use: 'everyone', not: ['everybody'] },
  { use: 'sign in', not: ['log in', 'login', 'logon'] },
  { use: 'sign out all devices', not: ['sign out everywhere', 'log out'] },
  { use: 'create', not: ['make a link', 'make a key', 'was made', 'were made', 'you made'] },
  { use: 'created with', not: ['made by'] },
  { use: 'revoke', not: ['withdraw', 'withdrawn', 'withdrew'] },
  { use: 'link expired', not: ['no longer valid', 'link is over'] },
  { use: 'delete account', not: ['erase', 'erased', 'erasure'] },
  { use: 'team', not: ['people who work', 'people in your account'] },
  { use: 'former members', not: ['people who have left'] },
  { use: 'switch to', not: ['act for', 'acts for'] },
  { use: 'image', not: ['picture', 'pictures', 'photo', 'photos'] },
  { use: 'audio', not: ['sounds', 'a sound', 'sound file'] },
  { use: 'video', not: ['film', 'films', 'clip', 'clips', 'movie'] },
  { use: 'upload', not: ['your own file', 'your own files', 'own upload'] },
  { use: 'generating', not: ['on its way', 'on their way', 'under way'] },
  { use: 'waiting for capacity', not: ['free place', 'waiting for a place', 'no room'] },
  { use: 'held', not: ['in flight'] },
  { use: 'refunded', not: ['given back', 'charged stay charged'] },
  { use: 'a cheaper setting', not: ['something smaller', 'ask for less'] },
  {
    use: 'per day',
    not: ['credits a day', 'credits a month', 'credits a second', 'credits an image'],
  },
  { use: 'remaining', not: ['left over', 'credits that are left'] },
  { use: 'search prompts', not: ['words of the prompt'] },
  { use: 'right now', not: ['at the moment', 'for now', 'for the moment', 'for a moment'] },
  { use: 'immediately', not: ['forthwith', 'not at all'] },
  { use: 'select', not: ['tick', 'ticked', 'untick', 'ticks'] },
  { use: 'poll', not: ['look now', 'looks'] },
  { use: 'pause', not: ['rests', 'rested', 'resting'] },
  { use: 'down', not: ['closed off'] },
  { use: "doesn't exist", not: ['there is no such', 'no such'] },
  { use: "isn't responding", not: ['does not answer', 'do not answer', 'answers'] },
  { use: "doesn't allow", not: ['may not do', 'may not see', 'may not use'] },
  { use: 'wrong format', not: ['wrong form'] },
  { use: 'required', not: ['is needed', 'are needed'] },
  { use: 'ID', not: ['id', 'ids'] },
  { use: 'URL', not: ['url', 'base address', 'internet address'] },
];

/** German of pages and emails. */
const de: readonly Word[] = [
  { use: 'E-Mail', not: ['mail', 'mails', 'email'] },
  { use: 'schau', not: ['sieh in'] },
  { use: 'Status', not: ['zustand'] },
  { use: 'zweiter Faktor', not: ['zwei-faktor-authentifizierung', '2fa'] },
  { use: 'Handy', not: ['telefon', 'smartphone'] },
  { use: 'Passwort', not: ['kennwort'] },
  { use: 'anmelden', not: ['einloggen', 'login'] },
  { use: 'abmelden', not: ['ausloggen', 'logout'] },
  { use: 'Konto', not: ['account', 'benutzerkonto'] },
  { use: 'Auftrag', not: ['jobs', 'anforderung'] },
  { use: 'Verlauf', not: ['historie'] },
  { use: 'Bild', not: ['foto', 'fotos', 'picture'] },
  { use: 'Buchungen', not: ['ledger'] },
  { use: 'Credits aufladen', not: ['besorge', 'besorge dir'] },
  { use: 'mit deinen Credits', not: ['auf deine credits'] },
  { use: 'eine günstigere Einstellung', not: ['etwas kleineres'] },
  { use: 'Pflichtfeld', not: ['das wird gebraucht'] },
  { use: 'falsches Format', not: ['falsche form'] },
  { use: 'Studio', not: ['über diese website'] },
  {
    use: 'erstellt',
    not: ['die du gemacht', 'was du gemacht', 'selbst gemachten', 'gemacht hast'],
  },
  { use: 'wird erstellt', not: ['unterwegs'] },
  { use: 'Kapazität', not: ['freien platz', 'einen platz'] },
  { use: 'funktionieren', not: ['arbeiten weiter', 'arbeitet weiter', 'arbeiten nicht mehr'] },
  { use: 'nutzen', not: ['handelst', 'handeln', 'handelt'] },
  { use: 'herunterladen', not: ['downloaden', 'download'] },
  { use: 'hochladen', not: ['uploaden'] },
];

/** The words of each language. */
export const glossary = { en, de } as const;
