/** A generation id: `gen_` and 26 characters of lower-case Crockford base 32. */
export const generationIdPattern = 'gen_[0-9a-hjkmnp-tv-z]{26}';

const whole = new RegExp(`^${generationIdPattern}$`);

/** Whether this text is a generation id, so that nothing else gets into a path. */
export function isGenerationId(text: string): boolean {
  return whole.test(text);
}
