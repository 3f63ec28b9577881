import { countedGroups } from '../../domain/addresses.ts';

/** Answers of one process that may be under way to one client address (an IPv6 one counts as its /64; its /48 has ten times as many). */
export const maxPerAddress = 50;
/** Answers of one process that may be under way with one file: half of what may be read at once. */
export const maxPerFile = 100;

/** Media answers under way, so that readers who do not read hold up themselves alone. */
export interface AnswerLimits {
  /**
   * Counts an answer as under way.
   * @param address Null where it is not counted, such as for providers, which fetch much at once.
   * @returns `leave`, which ends it (calling it twice does no harm), or which of the two has too many.
   */
  enter(answer: {
    address: string | null;
    file: string;
  }): { ok: true; leave: () => void } | { ok: false; full: 'address' | 'file' };
}

/** Counts in memory: what is not under way is not remembered. */
export function createAnswerLimits(): AnswerLimits {
  const counts = new Map<string, number>();
  const change = (name: string, by: number) => {
    const count = (counts.get(name) ?? 0) + by;
    if (count > 0) counts.set(name, count);
    else counts.delete(name);
  };
  return {
    enter({ address, file }) {
      const ofFile = `file ${file}`;
      const groups = address === null ? [] : countedGroups(address);
      const names = [ofFile];
      for (const { group, times } of groups) {
        const ofGroup = `address ${group}`;
        if ((counts.get(ofGroup) ?? 0) >= maxPerAddress * times) {
          return { ok: false, full: 'address' };
        }
        names.push(ofGroup);
      }
      if ((counts.get(ofFile) ?? 0) >= maxPerFile) return { ok: false, full: 'file' };
      for (const name of names) change(name, 1);
      return {
        ok: true,
        leave() {
          for (const name of names.splice(0)) change(name, -1);
        },
      };
    },
  };
}
