/** A text for staff without the prompt. Prompts of up to three characters would match anywhere. */
export function withoutPrompt(text: string, prompt: string): string {
  return prompt.length < 4 ? text : text.replaceAll(prompt, '<prompt>');
}
