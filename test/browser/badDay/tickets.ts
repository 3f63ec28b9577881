import type { BadDay, Made, Patron } from './fillBadDay.ts';

/** A question as it arrives at support. */
export interface Ticket {
  /** Pasted as a whole into the console's search; null if the overview answers it. */
  mail: string | null;
  /** Words that answer it, each on the page that is reached. */
  response: string[];
}

/** A complete email with a header, a long opening and a signature. */
const mail = (from: string, words: string) => `From: ${from}
To: help@framegate.example
Subject: Help!!

Hi there,

I hope you are all well. I have been a customer of yours since spring 2025 and I like what you do, but
today I am at my wits' end; my client in Lyon wants to see the first cut at 5 pm, and I still have
nothing that I could show to anybody.

${words}

Could you please look into it as soon as you can? Thank you so much!
--
Sent from my phone. 14 Rue de l'Exemple, tel. 0033 555 0147
`;

/** A sender whose address we do not know. */
const stranger = 'A. Producer <me@home.example>';

const refunded = ({ patron, code }: Made) => [
  ...[patron.email, 'failed', code],
  'credits charged and refunded',
];
const account = ({ email }: Patron, ...words: string[]) => [email, 'API keys', ...words];

type Kind = readonly [
  name: string,
  count: number,
  write: (made: Made, day: BadDay, number: number) => Ticket,
];

const kinds: readonly Kind[] = [
  [
    'Why did it fail?',
    6,
    (made) => ({
      mail: mail(stranger, `My video ${made.id} only says "failed". Why, and did I pay for it?`),
      response: refunded(made),
    }),
  ],
  [
    'Where is my money?',
    5,
    ({ requestId, ...made }) => ({
      mail: mail(stranger, `Your API took my credits!\n\n{"request_id":"${requestId}"}\n`),
      response: refunded({ requestId, ...made }),
    }),
  ],
  [
    'A list of ids',
    5,
    (made, { failed }, number) => {
      const several = [made, ...failed.slice(100 + 3 * number, 103 + 3 * number)];
      return {
        mail: mail(stranger, several.map(({ id }, row) => `${String(row + 1)}) ${id}`).join('\n')),
        response: several.flatMap(({ id, patron, code }) => [id, patron.email, code, 'Refunded']),
      };
    },
  ],
  [
    'Only the address of the sender',
    5,
    ({ patron }) => ({
      mail: mail(patron.email, 'Nothing has worked since this morning. Where are my credits?'),
      response: [patron.email, 'credits refunded'],
    }),
  ],
  [
    "A key's short name",
    4,
    ({ patron }) => ({
      mail: mail(stranger, `Everything made with the key "editor …${patron.keyEnd}" fails.`),
      response: account(patron, `…${patron.keyEnd}`, 'Refunded'),
    }),
  ],
  [
    'A whole secret key',
    2,
    ({ patron }) => ({
      mail: mail(stranger, `I use FRAMEGATE_KEY=${patron.apiKey} and get nothing.`),
      response: account(patron, `…${patron.apiKey.slice(-4)}`),
    }),
  ],
  [
    "An order's reference",
    4,
    ({ patron }) => ({
      mail: mail(stranger, `I paid order ${patron.order} at noon. Where are my 500 credits?`),
      response: account(patron, `${patron.order}: grant of 500 credits`),
    }),
  ],
  [
    "A provider's task",
    3,
    (made) => ({
      mail: mail('Provider <care@ark.example>', `We have looked into task ${made.taskId}.`),
      response: refunded(made),
    }),
  ],
  [
    'When does it come?',
    2,
    (_, { waiting }, number) => {
      const made = waiting[number] as Made;
      return {
        mail: mail(stranger, `${made.id} has been waiting for ages. When does it come?`),
        response: [made.patron.email, 'queued', 'whose circuit is open', 'Deadline:'],
      };
    },
  ],
  [
    'A link that does not open',
    1,
    (_, { delivered: { url, patron } }) => ({
      mail: mail(stranger, `The file at ${url} does not open on my TV.`),
      response: [patron.email, 'completed', 'Kept until', 'video/mp4'],
    }),
  ],
  [
    'An id that was cut off',
    1,
    (made) => ({
      mail: mail(
        stranger,
        `The page says something like ${made.id.slice(0, 24)}, I cannot scroll.`,
      ),
      response: refunded(made),
    }),
  ],
  [
    'Is Beta 3.0 down?',
    2,
    (_, { patrons }) => ({
      mail: null,
      response: [
        'ark has an open circuit',
        'since',
        'beta-3.0',
        `${String(patrons.length)} customers`,
      ],
    }),
  ],
];

/** Names of the tickets, with their numbers. */
export const ticketNames: readonly string[] = kinds.flatMap(([name, count]) =>
  Array.from({ length: count }, (_, index) => `${name} (${String(index + 1)})`),
);

/** The tickets of the day, in the order of their names; each is about another generation. */
export function writeTickets(day: BadDay): Ticket[] {
  const all = kinds.flatMap(([, count, write]) =>
    Array.from({ length: count }, (_, number) => ({ write, number })),
  );
  return all.map(({ write, number }, index) => write(day.failed[index * 7] as Made, day, number));
}
