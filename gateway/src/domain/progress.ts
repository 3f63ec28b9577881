/**
 * How far a generation probably is, in whole percent: 90 at the time that its model usually takes, and
 * from there ever more slowly towards 99. Never 100 before the end.
 * @param ageSeconds Since it was created.
 * @param usualSeconds What its model takes in the middle.
 */
export function probablePercent(ageSeconds: number, usualSeconds: number): number {
  const usual = Math.max(1, usualSeconds);
  const age = Math.max(0, ageSeconds);
  if (age <= usual) return Math.floor((90 * age) / usual);
  return Math.floor(90 + 9 * (1 - Math.exp(-(age - usual) / usual)));
}
