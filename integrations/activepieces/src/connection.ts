import { PieceAuth, Property } from '@activepieces/pieces-framework';
import { Framegate, FramegateError, GenerationFailedError } from '../../typescript/src/index.ts';
import manifest from '../package.json' with { type: 'json' };

/** Base URL and key of an account, in the connections of Activepieces. */
export const connection = PieceAuth.CustomAuth({
  displayName: 'Framegate account',
  description: "Both are on your account's **API keys** page.",
  required: true,
  props: {
    baseUrl: Property.ShortText({
      displayName: 'Base URL',
      description: 'Ends in /v1, such as https://video.example.com/v1',
      required: true,
    }),
    apiKey: PieceAuth.SecretText({ displayName: 'API key', required: true }),
  },
  async validate({ auth }) {
    try {
      await clientOf({ props: auth }).credits.balance();
      return { valid: true };
    } catch (error) {
      return { valid: false, error: toUserError(error).message };
    }
  },
});

/** The part of the connection that a step receives. */
export interface ConnectionValue {
  props: { baseUrl: string; apiKey: string };
}

/** The client of a step. @throws UsageError for an unusable connection. */
export function clientOf({ props: { baseUrl, apiKey } }: ConnectionValue): Framegate {
  const agent = `framegate-activepieces/${manifest.version} (Node.js/${process.versions.node})`;
  const headers = { 'user-agent': agent };
  return new Framegate({ baseUrl: baseUrl.trim(), apiKey: apiKey.trim(), headers });
}

/** The remedy for an error in Activepieces, by its code. */
const advice: Readonly<Record<string, string>> = {
  invalid_api_key: 'Open Connections and enter the API key again.',
  invalid_api_key_form: 'Open Connections and enter the API key again.',
  invalid_base_url: 'Open Connections and correct the Base URL.',
  not_found: 'Open Connections and correct the Base URL.',
  model_not_found: 'Open this step and correct the Model.',
  price_above_limit: 'Open this step and raise Maximum Credits, or choose a cheaper setting.',
  key_limit_reached: "Raise the limit on your account's API keys page.",
  input_host_not_approved: "Request the host on your account's API keys page.",
  generation_not_found: 'Open this step and check the Generation ID and the connection.',
  idempotency_key_reused: 'Open this step and give each order its own Order ID.',
};

/** The error for the run's page, with its remedy in Activepieces. */
export function toUserError(error: unknown): Error {
  if (!(error instanceof FramegateError)) return error as Error;
  const { code, mayHaveCreated, message } = error;
  // A repeated step receives the same generation.
  const again =
    error instanceof GenerationFailedError ? 'Start a new run to try again.' : advice[code];
  const remedy = mayHaveCreated
    ? 'Retry this run: the step reuses its key, so nothing is charged twice.'
    : again;
  return remedy ? new Error(`${message} ${remedy}`, { cause: error }) : error;
}
