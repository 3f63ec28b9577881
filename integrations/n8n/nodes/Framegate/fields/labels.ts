/** What the editor calls each field that holds a value of the user, by its name in the node. */
export const labels = {
  aspectRatio: 'Aspect Ratio',
  attempts: 'Attempts for Failed Generations',
  binaryField: 'Put Output File in Field',
  consentReference: 'Consent Reference',
  download: 'Download Result',
  durationSeconds: 'Duration (Seconds)',
  generateAudio: 'Generate Audio',
  generationId: 'Generation',
  idempotencyKey: 'Idempotency Key',
  inputs: 'Inputs',
  limit: 'Limit',
  maximumCredits: 'Maximum Credits',
  mode: 'Mode',
  model: 'Model',
  n: 'Number of Images',
  onTimeout: 'On Timeout',
  outputFormat: 'Output Format',
  prompt: 'Prompt',
  realPersonMode: 'Real-Person Mode',
  resolution: 'Resolution',
  returnAll: 'Return All',
  rightsConfirmed: 'Rights Confirmed',
  role: 'Use As',
  seed: 'Seed',
  simplify: 'Simplify',
  timeoutSeconds: 'Timeout (Seconds)',
  type: 'Type',
  url: 'URL',
  wait: 'Wait for Completion',
} as const;

/** The name of such a field. */
export type FieldName = keyof typeof labels;

/** What the editor calls the modes of a video. */
export const modeNames = {
  'image-to-video': 'Image to Video',
  'multimodal-to-video': 'References to Video',
  'text-to-video': 'Text to Video',
} as const;

/** What the editor calls the places of a picture in a video. */
export const roleNames = { first_frame: 'First Frame', last_frame: 'Last Frame' } as const;
