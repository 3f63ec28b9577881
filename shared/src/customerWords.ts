import { allExtras } from './parameterReaders.ts';

/** An order with words of its customer. */
interface CustomerOrder {
  prompt: string;
  parameters: object;
}

const texts = new Set(allExtras.flatMap(({ kind, name }) => (kind === 'text' ? [name] : [])));

/** The texts among an order's parameters, by name; without those that were removed with the prompt. */
export function textsIn(parameters: object): [name: string, text: string][] {
  return Object.entries(parameters).filter(
    (each): each is [string, string] => texts.has(each[0]) && typeof each[1] === 'string',
  );
}

/** The parameters as everyone may read them who may not read the prompt: without texts. */
export function withoutTexts<P extends object>(parameters: P): P {
  const others = Object.entries(parameters).filter(([name]) => !texts.has(name));
  return Object.fromEntries(others) as P;
}

/** The words that a customer wrote into an order: the prompt, and the texts among its parameters. */
export const wordsOf = ({ prompt, parameters }: CustomerOrder): string[] => [
  prompt,
  ...textsIn(parameters).map(([, text]) => text),
];

/** A text for staff without the customer's words. Words of up to three characters would match anywhere. */
export const withoutPrompt = (text: string, words: readonly string[]): string =>
  words.reduce((left, each) => (each.length < 4 ? left : left.replaceAll(each, '<prompt>')), text);
