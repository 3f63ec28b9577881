import type { PlainInputField } from 'zapier-platform-core';

/** The choice of a model, on which further fields depend. @param list Key of the trigger that lists them. */
export const modelField = (list: string): PlainInputField => ({
  key: 'model',
  label: 'Model',
  type: 'string',
  required: true,
  dynamic: `${list}.id.name`,
  altersDynamicFields: true,
  helpText: 'Lists the models that your API key can use. Choosing one adds its own fields.',
});

/** The prompt of both create requests. */
export const promptField = (helpText: string): PlainInputField => ({
  key: 'prompt',
  label: 'Prompt',
  type: 'text',
  required: true,
  helpText,
});

/** Whether the step waits. @param otherwise Sentence for when it does not. */
export const waitField = (otherwise: string): PlainInputField => ({
  key: 'wait',
  label: 'Wait for the Result',
  type: 'boolean',
  default: 'true',
  helpText: `Yes: the next step starts when the file is ready, which can take minutes. No: the next step starts right away, ${otherwise}.`,
});

/** Shared by both create requests. */
export const createWaitField = waitField('and a Find Generation step reads the result later');

/** The guard against high prices, with the same text in both create requests. */
export const maxCreditsField: PlainInputField = {
  key: 'max_credits',
  label: 'Maximum Credits',
  type: 'number',
  helpText:
    'The maximum cost of one run, in credits. If the price is higher, the step stops before anything is created or charged. Leave it empty for no limit.',
};

/** The user's own name for one run. */
export const requestKeyField: PlainInputField = {
  key: 'request_key',
  label: 'Request Key',
  type: 'string',
  helpText:
    'Needed when a Zap creates several results from the same values: without a key, steps and runs with the same inputs share one generation while it is in progress and for 6 minutes after it ends. The output Shared With an Earlier Run tells you when they did. Map a value that differs for each result that you want, such as the ID of the record that started the Zap, and add a different word in each step. The same key with the same inputs returns the same generation for 7 days and is charged once, however often the step is replayed. Without a key, a step that is replayed after those 6 minutes is charged again if Zapier has lost its notes about the run or the account was reconnected.',
};
