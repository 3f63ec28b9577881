import { dayMs, minuteMs, sum } from '@framegate/contract';
import { isId } from '../ids.ts';
import { foldText } from '../text/text.ts';
import { startOfDayMs } from '../time/utcDay.ts';

/** The clues in a customer's email to the generation that it is about. */
export interface CaseClues {
  /** Complete ids of generations, existing or not. */
  ids: string[];
  /** Amounts of credits. */
  amounts: ReadonlySet<number>;
  /** Times of day in minutes since midnight, in the customer's time zone. */
  minutes: readonly number[];
  /** Starts of the named days (UTC), in ms since the epoch. */
  days: readonly number[];
  /** Folded words that a prompt may contain. */
  words: ReadonlySet<string>;
}

/** The fields of a generation that an email may mention. */
export interface MentionedGeneration {
  id: string;
  prompt: string;
  costCredits: number;
  createdAt: number;
  endedAt: number | null;
}

/** A generation with the traces of it in an email, best first. */
export interface CaseMatch<Item> {
  item: Item;
  score: number;
  /** The traces, for staff. */
  because: string[];
}

/** Shortest words that tell prompts apart, in characters. */
const minWordLength = 4;
const maxWords = 400;
const maxDays = 3;

const amountPattern = /(?<!\d)(\d{1,6})\s{0,3}credits?\b/gi;
const timePattern = /(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])\s?(am\b|pm\b)?/gi;
const isoDayPattern = /(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)/g;
const dayFirstPattern = /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?\.?\s(\p{L}{3})/gu;
const monthFirstPattern = /(?<!\p{L})(\p{L}{3})\p{L}{0,6}\s(\d{1,2})(?!\d|:)/gu;

/** The first letters of the months, in the customers' languages. */
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const otherMonths: Readonly<Record<string, string>> = {
  mär: 'mar',
  mai: 'may',
  okt: 'oct',
  dez: 'dec',
};
/** Words for days before today. */
const daysAgo: Readonly<Record<string, number>> = { today: 0, heute: 0, yesterday: 1, gestern: 1 };

/** The words of a text that may identify a prompt. */
function wordsOf(text: string): Set<string> {
  const words = foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= minWordLength);
  return new Set(words.slice(0, maxWords));
}

/** Whether a text is written by a person, rather than a list of ids or a term of a search. */
export function isProse(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /^\p{L}+[.,;:!?]?$/u.test(word));
  return words.length >= 6;
}

/** Reads the clues of an email. @param nowMs Days without a year lie in the year before this time. */
export function findClues(text: string, ids: readonly string[], nowMs: number): CaseClues {
  const findAll = (pattern: RegExp) => [...text.matchAll(pattern)];
  const minutes = findAll(timePattern).map(([, hour, minute, half = '']) => {
    const twelve = half === '' ? Number(hour) : Number(hour) % 12;
    return (twelve + (/pm/i.test(half) ? 12 : 0)) * 60 + Number(minute);
  });
  const words = wordsOf(text);
  const days = [
    ...findAll(isoDayPattern).map(([day]) => Date.parse(day)),
    ...findAll(dayFirstPattern).map(([, day, month]) => dayBefore(nowMs, Number(day), month)),
    ...findAll(monthFirstPattern).map(([, month, day]) => dayBefore(nowMs, Number(day), month)),
    ...Object.entries(daysAgo).map(([word, ago]) =>
      words.has(word) ? startOfDayMs(nowMs) - ago * dayMs : NaN,
    ),
  ].filter((day) => !Number.isNaN(day));
  return {
    ids: ids.filter((id) => isId('gen', id)),
    amounts: new Set(findAll(amountPattern).map(([, amount]) => Number(amount))),
    minutes: minutes.slice(0, 10),
    days: [...new Set(days)].slice(0, maxDays),
    words,
  };
}

/** The last such day of a year (UTC), in ms since the epoch; NaN for none. */
function dayBefore(nowMs: number, day: number, name = ''): number {
  const letters = name.toLowerCase();
  const month = months.indexOf(otherMonths[letters] ?? letters);
  if (month < 0 || day < 1 || day > 31) return NaN;
  const year = new Date(nowMs).getUTCFullYear();
  const inYear = Date.UTC(year, month, day);
  return inYear > nowMs + dayMs ? Date.UTC(year - 1, month, day) : inYear;
}

/** Number of characters in which two ids differ. */
const countWrongCharacters = (one: string, other: string) =>
  [...one].filter((character, index) => character !== other[index]).length;
const maxWrong = 2;

/** Scores: an id outweighs everything else, and a few words outweigh an amount and a time. */
const scores = { id: 1_000, nearId: 500, word: 12, amount: 30, time: 25, otherZone: 10, day: 10 };
const maxWordScore = 150;

/**
 * The items that an email may mean, best first: by ids, even with a wrong character, then by words of the prompt, then
 * by amount and time. Words in many of the prompts say little. Items without a trace are left out.
 */
export function matchesOf<Item extends MentionedGeneration>(
  clues: CaseClues,
  items: readonly Item[],
): CaseMatch<Item>[] {
  const wordsOfItems = items.map(({ prompt }) =>
    [...wordsOf(prompt)].filter((word) => clues.words.has(word)),
  );
  const uses = new Map<string, number>();
  for (const word of wordsOfItems.flat()) uses.set(word, (uses.get(word) ?? 0) + 1);
  const weightOf = (word: string) =>
    (scores.word * Math.log2(1 + items.length / (uses.get(word) ?? 1))) /
    Math.log2(1 + items.length);
  return items
    .map((item, index) => {
      const shared = (wordsOfItems[index] ?? []).toSorted((a, b) => weightOf(b) - weightOf(a));
      const ofWords = sum(shared.map(weightOf));
      const traces = [
        ...idTraces(clues, item),
        ...(shared.length > 0
          ? [
              [
                Math.min(maxWordScore, ofWords),
                `words of the prompt: ${shared.slice(0, 5).join(', ')}`,
              ] as const,
            ]
          : []),
        ...tracesOfAmountAndTime(clues, item),
      ];
      const score = sum(traces.map(([points]) => points));
      return { item, score, because: traces.map(([, words]) => words) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || b.item.createdAt - a.item.createdAt);
}

type Trace = readonly [points: number, words: string];

function idTraces({ ids }: CaseClues, { id }: MentionedGeneration): Trace[] {
  if (ids.includes(id)) return [[scores.id, 'its id']];
  const fewest = Math.min(...ids.map((each) => countWrongCharacters(each, id)));
  if (fewest > maxWrong) return [];
  return [
    [
      scores.nearId,
      `its id, with ${fewest === 1 ? 'a wrong character' : `${fewest} wrong characters`}`,
    ],
  ];
}

const minutesOfDay = 1_440;
/** Minutes by which a time in an email may be off. */
const toleranceMinutes = 2;

/** Minutes between two times of day. */
function apart(one: number, other: number, period: number): number {
  const difference = Math.abs(one - other) % period;
  return Math.min(difference, period - difference);
}

function tracesOfAmountAndTime(clues: CaseClues, item: MentionedGeneration): Trace[] {
  const { createdAt, endedAt, costCredits } = item;
  const times = endedAt === null ? [createdAt] : [createdAt, endedAt];
  const isAt = (period: number) =>
    clues.minutes.some((minute) =>
      times.some(
        (ms) => apart(minute, Math.floor(ms / minuteMs) % minutesOfDay, period) <= toleranceMinutes,
      ),
    );
  const clock = new Date(createdAt).toISOString().slice(11, 16);
  const traces: Trace[] = [];
  if (clues.amounts.has(costCredits)) traces.push([scores.amount, `${costCredits} credits`]);
  if (isAt(minutesOfDay)) traces.push([scores.time, `the time, ${clock} UTC`]);
  // Time zones differ by whole hours, with few exceptions.
  else if (isAt(60)) traces.push([scores.otherZone, `the minute, in another time zone`]);
  if (clues.days.includes(startOfDayMs(createdAt))) traces.push([scores.day, 'the day']);
  return traces;
}
