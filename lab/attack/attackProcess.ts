import { setPriority } from 'node:os';
import type { Target } from './attack.ts';
import { attacks } from './attacks.ts';

/*
 * An attacker's process: plays the attack that the parent names, and tells how it was answered. It has
 * the lowest priority, since a real attacker computes on machines of its own.
 */

/** The parent's order: the name of the attack, its target, and its length in ms. */
export interface AttackOrder {
  what: string;
  target: Target;
  forMs: number;
}

setPriority(19);
process.on('message', ({ what, target, forMs }: AttackOrder) => {
  const attack = attacks.find((each) => each.what === what);
  if (!attack) throw new Error(`there is no attack ${what}`);
  void attack.play(target, forMs).then((answers) => process.send?.({ answers }));
});
process.send?.('loaded');
