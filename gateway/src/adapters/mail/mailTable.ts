import type { MailKind, MailValues, NamedEnd } from '../../application/ports/mails.ts';
import type { TextValues } from '../../texts/generated/textValues.ts';
import type { TextKey } from '../../texts/text.ts';

/** Names of the texts of emails that need no other values than these and the brand. */
type TextName<Values> = {
  [Key in TextKey]: Key extends `mails.${infer Name}`
    ? keyof TextValues[Key] extends keyof Values | 'brand'
      ? Name
      : never
    : never;
}[TextKey];

/** A path on the site or the console; `{name}` stands for a value. */
type PagePath = `/${string}`;

/** A part of an email with a text of the catalogue. A paragraph without text is left out. */
type Part<Values> =
  | TextName<Values>
  /** A paragraph that names a page as `{url}`. */
  | { words: TextName<Values & { url: string }>; url: PagePath }
  /** Paragraphs that a person wrote. */
  | { quote: keyof Values & string }
  /** A paragraph for each item of a list. */
  | { each: TextName<NamedEnd>; of: keyof Values & string }
  | { code: true }
  /** A button; without a path, it opens the page of the email. */
  | { button: TextName<Values>; path?: PagePath };

/** A kind of email. */
export interface MailRow<Values> {
  subject: TextName<Values>;
  /** Parts in display order, with at most one button. */
  parts: readonly Part<Values>[];
  /** The page of the email, which logs name: its path contains no secret. */
  page: PagePath;
}

const code = { code: true } as const;
const confirm = '/confirm/{confirmationId}';
const forgotten = '/forgotten-password';
const account = '/settings/account';
const keys = '/settings/public-api';
const key = '/settings/public-api/keys/{keyId}';
const erasure = '/settings/account/erasure';
const team = '/settings/team';
const join = '/settings/join/{accountId}/{token}';
const joinFromSignUp = '%2Fsettings%2Fjoin%2F{accountId}%2F{token}';
/** The advice at the end of an email about a possible action of a stranger. */
const ifNotYou = ['ifNotYou', { button: 'resetPassword', path: forgotten }] as const;
const keyParts = ['keyNotYou', { button: 'keyButton' }] as const;
const openIt = { button: 'openIt', path: '/generations/{id}' } as const;
const finished = [{ quote: 'title' }, 'endFinished', openIt] as const;
const failed = [{ quote: 'title' }, 'endFailed', openIt] as const;
const openHistory = { button: 'openHistory' } as const;
const openConsole = { button: 'openConsole' } as const;
const own = { quote: 'note' } as const;

/** All emails. A new kind has a row here, its values in the port, and its texts. */
export const mailTable: { readonly [Kind in MailKind]: MailRow<MailValues[Kind]> } = {
  verify: {
    subject: 'verifySubject',
    parts: ['verifyWelcome', code, 'verifyHow', { button: 'verifyButton' }, 'verifyIgnore'],
    page: confirm,
  },
  reset: {
    subject: 'resetSubject',
    parts: ['resetRequested', code, 'resetHow', { button: 'resetButton' }, 'resetIgnore'],
    page: confirm,
  },
  prove: { subject: 'proveSubject', parts: ['proofRequested', code, 'proveHow'], page: account },
  'new email': {
    subject: 'newEmailSubject',
    parts: ['newEmailRequested', code, 'bothCodesHow'],
    page: account,
  },
  'old email': {
    subject: 'oldEmailSubject',
    parts: ['oldEmailRequested', code, 'bothCodesHow', { words: 'oldEmailIgnore', url: forgotten }],
    page: account,
  },
  emailTaken: { subject: 'newEmailSubject', parts: ['newEmailTaken'], page: '/sign-in' },
  accountExists: {
    subject: 'thereSubject',
    parts: [
      'knownEmailUsed',
      { button: 'thereButton' },
      { words: 'thereForgot', url: forgotten },
      'thereIgnore',
    ],
    page: '/sign-in',
  },
  invited: {
    subject: 'invitedSubject',
    parts: ['invited', code, 'invitedHow', { button: 'invitedButton' }, 'invitedIgnore'],
    page: confirm,
  },
  emailChanged: {
    subject: 'emailChangedSubject',
    parts: ['emailChanged', 'emailChangedAdvice'],
    page: '/sign-in',
  },
  passwordChanged: {
    subject: 'passwordSubject',
    parts: ['passwordChanged', ...ifNotYou],
    page: forgotten,
  },
  newBrowser: {
    subject: 'newBrowserSubject',
    parts: ['newBrowser', 'newBrowserAdvice', { button: 'newBrowserButton' }],
    page: account,
  },
  factorOn: { subject: 'factorOnSubject', parts: ['factorOn', ...ifNotYou], page: forgotten },
  factorOff: { subject: 'factorOffSubject', parts: ['factorOff', ...ifNotYou], page: forgotten },
  factorRemoved: {
    subject: 'factorRemovedSubject',
    parts: ['factorRemoved', ...ifNotYou],
    page: forgotten,
  },
  newCodes: { subject: 'newCodesSubject', parts: ['newCodes', ...ifNotYou], page: forgotten },
  recoveryUsed: {
    subject: 'recoveryUsedSubject',
    parts: ['recoveryUsed', ...ifNotYou],
    page: forgotten,
  },
  wrongCodes: { subject: 'wrongCodesSubject', parts: ['wrongCodes', ...ifNotYou], page: forgotten },
  wayLinked: { subject: 'waysSubject', parts: ['wayLinked', ...ifNotYou], page: forgotten },
  wayUnlinked: { subject: 'waysSubject', parts: ['wayUnlinked', ...ifNotYou], page: forgotten },
  keyMade: { subject: 'keyMadeSubject', parts: ['keyMade', ...keyParts], page: keys },
  keyReplaced: { subject: 'keyReplacedSubject', parts: ['keyReplaced', ...keyParts], page: keys },
  keyRevoked: { subject: 'keyRevokedSubject', parts: ['keyRevoked', ...keyParts], page: keys },
  hostApproved: {
    subject: 'hostApprovedSubject',
    parts: ['hostApproved', { button: 'hostButton' }],
    page: key,
  },
  hostRefused: {
    subject: 'hostRefusedSubject',
    parts: ['hostRefused', { button: 'hostButton' }],
    page: key,
  },
  videoFinished: { subject: 'endsVideo', parts: finished, page: '/history' },
  videoFailed: { subject: 'endsVideoFailed', parts: failed, page: '/history' },
  imageFinished: { subject: 'endsImages', parts: finished, page: '/history' },
  imageFailed: { subject: 'endsImagesFailed', parts: failed, page: '/history' },
  ends: {
    subject: 'endsSubject',
    parts: ['sinceLast', { each: 'endOfMany', of: 'named' }, 'andMore', openHistory],
    page: '/history',
  },
  files: { subject: 'filesSubject', parts: ['files', openHistory], page: '/history' },
  low: { subject: 'lowSubject', parts: ['low', { button: 'seeCredits' }], page: '/credits' },
  expiry: {
    subject: 'expirySubject',
    parts: ['expiry', { button: 'openStudio', path: '/studio' }],
    page: '/credits',
  },
  erasureRequest: {
    subject: 'erasureRequestedSubject',
    parts: [{ words: 'erasureRequest', url: erasure }, ...ifNotYou],
    page: erasure,
  },
  erasureRequestedByUs: {
    subject: 'erasureRequestedSubject',
    parts: [{ words: 'erasureRequestedByUs', url: erasure }, ...ifNotYou],
    page: erasure,
  },
  erasureSoon: {
    subject: 'erasureSoonSubject',
    parts: ['erasureSoon', { button: 'erasureKeep' }],
    page: erasure,
  },
  teamInvite: {
    subject: 'teamInviteSubject',
    parts: ['teamInvite', { button: 'teamInviteButton', path: join }, 'teamInviteIgnore'],
    page: '/settings/join',
  },
  teamInviteNew: {
    subject: 'teamInviteSubject',
    parts: [
      'teamInvite',
      'teamInviteNew',
      code,
      { button: 'teamInviteAccount', path: `${confirm}?next=${joinFromSignUp}` },
      { words: 'teamInviteKnown', url: join },
      'teamInviteIgnore',
    ],
    page: '/settings/join',
  },
  teamJoined: {
    subject: 'teamJoinedSubject',
    parts: ['teamJoined', { button: 'teamButton' }],
    page: team,
  },
  teamRemoved: { subject: 'teamRemovedSubject', parts: ['teamRemoved'], page: account },
  teamLeft: {
    subject: 'teamLeftSubject',
    parts: ['teamLeft', { button: 'teamButton' }],
    page: team,
  },
  troubleOver: {
    subject: 'troubleOverSubject',
    parts: ['troubleOver', 'troubleOverAgain', own, openHistory],
    page: '/history',
  },
  creditsGiven: {
    subject: 'creditsGivenSubject',
    parts: ['creditsGiven', own, { button: 'seeCredits' }],
    page: '/credits',
  },
  idNeeded: {
    subject: 'idNeededSubject',
    parts: ['idNeeded', 'idNeededReply', own, openHistory],
    page: '/history',
  },
  keyExposed: {
    subject: 'keyExposedSubject',
    parts: ['keyExposed', 'keyExposedAdvice', own, { button: 'keyExposedButton' }],
    page: keys,
  },
  reply: { subject: 'replySubject', parts: [own, openHistory], page: '/history' },
  passkeyAdded: {
    subject: 'passkeyAddedSubject',
    parts: ['passkeyAdded', 'passkeyAddedAdvice', { button: 'passkeyAddedButton' }],
    page: '/staff/passkeys',
  },
  consoleCodes: {
    subject: 'consoleCodesSubject',
    parts: ['consoleCodes', 'consoleCodesAdvice', { button: 'consoleCodesButton' }],
    page: '/staff/audit',
  },
  moveAsked: {
    subject: 'moveAskedSubject',
    parts: ['moveAsked', 'move', 'moveAskedAdvice', openConsole],
    page: '/staff/proposals',
  },
  moveConfirmed: {
    subject: 'moveConfirmedSubject',
    parts: ['moveConfirmed', 'move', 'moveConfirmedAdvice', openConsole],
    page: '/staff/audit',
  },
};
