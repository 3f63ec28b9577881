import { catalogue } from '@framegate/contract';

/** Longest deadline: 30 days, in seconds. */
const deadlineSecondsMax = 2_592_000;

/** A deadline in seconds, with exceptions for single models. */
export interface Deadline {
  seconds: number;
  byModel: Readonly<Record<string, number>>;
}

/**
 * Reads `seconds` or `seconds,model=seconds,…`.
 * @param types The types of models that the deadline is about.
 * @throws Error that names what is wrong.
 */
export function parseDeadline(types: readonly string[]): (text: string) => Deadline {
  return (text) => {
    const [first = '', ...rest] = text.split(',').map((item) => item.trim());
    const byModel = rest.map((item): [string, number] => {
      const [id = '', seconds = ''] = item.split('=');
      const model = catalogue.find((each) => each.id === id && types.includes(each.type));
      if (model === undefined) throw new Error(`"${id}" is not a ${types.join(' or ')} model`);
      return [id, parseSeconds(seconds)];
    });
    return { seconds: parseSeconds(first), byModel: Object.fromEntries(byModel) };
  };
}

/** The deadline for one model, in seconds. */
export function deadlineOf(deadline: Deadline, modelId: string): number {
  return deadline.byModel[modelId] ?? deadline.seconds;
}

function parseSeconds(text: string): number {
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > deadlineSecondsMax) {
    throw new Error(`"${text}" is not a number of seconds from 1 to ${deadlineSecondsMax}`);
  }
  return seconds;
}
