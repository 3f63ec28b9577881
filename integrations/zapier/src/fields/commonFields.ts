import type { PlainInputField } from 'zapier-platform-core';

/** The choice of a model, on which further fields depend. @param list Key of the trigger that lists them. */
export const modelField = (list: string): PlainInputField => ({
  key: 'model',
  label: 'Model',
  type: 'string',
  required: true,
  dynamic: `${list}.id.name`,
  altersDynamicFields: true,
  helpText: 'The models that your API key may use. More fields follow once one is chosen.',
});

/** The prompt of both creates. */
export const promptField = (helpText: string): PlainInputField => ({
  key: 'prompt',
  label: 'Prompt',
  type: 'text',
  required: true,
  helpText,
});

/** Seed of both creates. */
export const seedField: PlainInputField = {
  key: 'seed',
  label: 'Seed',
  type: 'integer',
  helpText:
    'A whole number from 1 to 2147483647. The same seed and inputs give similar results. Leave it empty for a random one.',
};

/** Whether the step waits; the same words in all steps. */
export const waitField: PlainInputField = {
  key: 'wait',
  label: 'Wait for the Result',
  type: 'boolean',
  default: 'true',
  helpText:
    'Choose yes to go on with the next step only when the file is ready, which can take minutes. Choose no to go on at once and read the result later with a Find Generation step.',
};

/** The guard against high prices; the same words in both creates. */
export const maximumCreditsField: PlainInputField = {
  key: 'maximum_credits',
  label: 'Maximum Credits',
  type: 'number',
  helpText:
    'The highest price of one run, in credits. A higher price stops the step before anything is made or charged. Leave it empty for no limit.',
};

/** The user's own word for one run. */
export const requestKeyField: PlainInputField = {
  key: 'request_key',
  label: 'Request Key',
  type: 'string',
  helpText:
    'Needed when a Zap makes several results from the same values: without it, steps and runs with the same inputs share one generation and its file while it is being made and for 6 minutes after its end, which the output Shared With an Earlier Run tells. Map a value that differs for each result that you want, such as the id of the record that started this Zap; add a word of its own in each step. The same key with the same inputs gives the same generation for 7 days and is charged once, whenever the step is replayed. Without it, a replay later than those 6 minutes is charged again if Zapier has lost its notes of the run, or if the account was connected anew.',
};
