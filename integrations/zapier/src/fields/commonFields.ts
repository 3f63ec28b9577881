import type { PlainInputField } from 'zapier-platform-core';

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

/** The user's own word for one run. */
export const requestKeyField: PlainInputField = {
  key: 'request_key',
  label: 'Request Key',
  type: 'string',
  helpText:
    'Map a value that differs for each result that you want, such as the record that started this Zap. The same key with the same inputs gives the same generation for 7 days, and is charged once, even when the step is replayed. Without it, runs with the same inputs that overlap or follow within a few minutes share one generation.',
};
