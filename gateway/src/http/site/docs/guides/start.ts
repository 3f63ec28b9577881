import { type Model, pricingOf } from '@framegate/contract';
import { maxFirstSeconds } from '../../../../domain/generations/pollHint.ts';
import { maxLaterSeconds } from '../../../../domain/generations/pollPlan.ts';
import { maxInputUrlLength } from '../../../../domain/network/inputUrl.ts';
import { formatNumber, type Guide, type GuideSource, markdownTable, size, span } from '../facts.ts';
import { samplesFor } from '../samples.ts';

/** Instructions for getting an account. */
const signUpSteps = {
  open: '[Create an account](/sign-up)',
  invite: 'Create an account with the link in your invitation',
  closed: 'Get an account from the operator of this service',
};

/** Compares models by the price of their usual resolution. */
function byPrice(a: Model, b: Model): number {
  const [one = 0, two = 0] = [a, b].map(
    (model) => pricingOf(model).credits[model.defaults.resolution],
  );
  return one - two;
}

/** Guide from an account to the first video. */
export function quickStart({ api, facts }: GuideSource): Guide {
  const [model] = facts.models.filter(({ type }) => type === 'video').toSorted(byPrice);
  const body = {
    model: model?.id ?? 'alpha-2.0-fast',
    mode: 'text-to-video',
    prompt: 'A paper boat drifts down a rainy street, seen from above.',
  };
  const key = facts.hasAccounts
    ? `${signUpSteps[facts.signUp]}, then create a key under **API keys**`
    : 'Get a key from the operator of this service';
  const gift =
    facts.signupCredits > 0
      ? ` New accounts get ${formatNumber(facts.signupCredits)} credits.`
      : '';
  return {
    id: 'quick-start',
    title: 'Quick start',
    parts: [
      `1. ${key}.${gift}
2. Store the key outside your code, for example in an environment variable: \`export FRAMEGATE_KEY=fg_live_…\`
3. Create a video. The response comes right away with the \`id\` and the cost; the video takes a few minutes.`,
      samplesFor(api, 'createVideo', body),
      `With curl, poll the generation until its \`status\` is \`completed\`, then download \`output.video_url\`, which needs no key:

\`\`\`sh
ID='gen_…' # the "id" in the response
curl ${facts.baseUrl}/generations/$ID -H "Authorization: Bearer $FRAMEGATE_KEY"
VIDEO_URL='https://…' # the "video_url" in the response, once it is completed
curl -o video.mp4 "$VIDEO_URL"
\`\`\`

The TypeScript and Python clients do both: they wait for the video and download it. [Clients](/clients) has their install commands, and packages for other tools.`,
    ],
  };
}

/** API keys, their limits and hosts. */
export function keysGuide({ facts }: GuideSource): Guide {
  const page = facts.hasAccounts
    ? 'Create keys under [API keys](/settings/public-api) in your account'
    : 'Create keys under API keys in your account';
  return {
    id: 'keys',
    title: 'Keys',
    parts: [
      `Every request except the download of the OpenAPI document needs \`Authorization: Bearer fg_live_…\`. ${page}; each is shown only once. There are no test keys: every request is real and billed.

- Keep a key on your server or in the credential store of a workflow tool, never in a browser or an app. Other sites' pages cannot call the API, because CORS is not enabled.
- A key can have a daily credit limit, a list of allowed models, and approved hosts for inputs.
- **Replace** a key without an outage: the old one keeps working for a period you choose. **Revoke** a leaked key immediately. Its running generations continue.
- Idempotency-Keys belong to the account, so you can repeat a create request with the new key.`,
    ],
  };
}

/** Polling for a result. */
export function pollingGuide({ api, facts }: GuideSource): Guide {
  const { statusReadsPerMinute } = facts.limits;
  const { min, max } = facts.waitingSeconds;
  const waiting = min === max ? span(max) : `${span(min)} to ${span(max)} (depending on the model)`;
  const { TypeScript = '', Python = '' } = samplesFor(api, 'getGeneration', undefined);
  const wait = (sample: string, download: string) =>
    sample.replace('generations.get', 'generations.wait').replace(/\n[^\n]*$/, `\n${download}`);
  return {
    id: 'polling',
    title: 'Polling',
    parts: [
      `A generation is \`queued\`, then \`processing\`, then \`completed\` or \`failed\`; the last two are final. Until then, \`retry_after_seconds\` and the header \`Retry-After\` tell you when to read it again: after at most ${maxFirstSeconds.video} seconds the first time for a video, ${maxFirstSeconds.image} for images, and ${maxLaterSeconds} later. The value is based on how long the model usually takes on this service; polling more often does not speed up the generation. Reads cost no credits and are limited to ${formatNumber(statusReadsPerMinute)} status reads a minute.`,
      {
        TypeScript: wait(TypeScript, "await generation.download('result');"),
        Python: wait(Python, 'generation.download("result")'),
      },
      `A generation waits for at most ${waiting} and then runs for at most its model's \`max_seconds\`. If it exceeds either, it fails and is refunded, so every generation ends.

Files are kept for ${span(facts.outputsKeptSeconds)} after completion. The URLs in \`output.urls\` are valid for up to ${span(facts.outputUrlSeconds)}, until \`output.expires_at\`; read the generation again to get new ones. After the files are deleted, \`urls\` is empty and \`deleted_at\` gives the time.`,
    ],
  };
}

/** Repeating a create request without a second charge. */
export function idempotencyGuide({ facts }: GuideSource): Guide {
  return {
    id: 'idempotency',
    title: 'Idempotency',
    parts: [
      `Every create request needs an \`Idempotency-Key\`: 1 to 255 visible ASCII characters, preferably your order ID, such as \`order-1042\`. It makes the request safe to repeat:

- The same key with the same body returns the first response, byte for byte, with \`Idempotent-Replayed: true\`. Nothing is created or charged. This applies for ${span(facts.idempotencyKeptSeconds)}, even if the generation has failed: to try again, use a new key.
- The same key with a different body is refused with [\`idempotency_key_reused\`](#error-idempotency_key_reused).
- After a refused create request (4xx), nothing was created or charged, and you can reuse the key.
- **After a timeout, 500 or 503** you cannot know whether the request was accepted. Send the same request with the same key: it is executed and charged at most once. Never use a new key for a retry.

A key is valid per account and path, so the same key can be used once for a video and once for images.`,
    ],
  };
}

/** Input files and their hosts. */
export function inputsGuide({ facts }: GuideSource): Guide {
  const open =
    facts.openHosts.length > 0
      ? ` These hosts need no approval: ${facts.openHosts.map((host) => `\`${host}\``).join(', ')}.`
      : '';
  const ask = facts.hasAccounts
    ? 'Request a host on the page of the key under [API keys](/settings/public-api)'
    : 'Request a host on the page of the key';
  const [anyModel] = facts.models;
  return {
    id: 'inputs',
    title: 'Inputs',
    parts: [
      `Inputs are images, videos and audio files, each with a \`url\` that the service fetches once, right after accepting the request. There are no uploads, and \`data:\` URLs are refused.

- The URL must be public: https, port 443, no user name, no fragment, no IP address, at most ${formatNumber(maxInputUrlLength)} characters. Redirects are not followed. A signed URL must stay valid for a few minutes after the request.
- The host must be approved for the key. ${ask}: an exact name or a pattern such as \`*.assets.example.com\`.${open}
- Output URLs of your own generations need no approval. For example, use a generated image as the first frame of a video.
- The file's content determines its type, not its name or \`Content-Type\`: JPEG, PNG, WebP (still); MP4, MOV (H.264, H.265, AV1), WebM (VP8, VP9, AV1); MP3, WAV (PCM), M4A (AAC), AAC.
- Models get images upright and in sRGB. Location, camera, serial number and other metadata are removed from every file.

Roles: \`image-to-video\` takes one \`first_frame\` (the default role) and at most one \`last_frame\`. \`multimodal-to-video\` takes references, including at least one image or video. Image models take reference images.`,
      markdownTable(['Model', 'Images', 'Videos', 'Audio', 'Prompt'], facts.models.map(inputRow)),
      anyModel === undefined
        ? ''
        : `${capsOf(anyModel)} The service's copies are deleted ${span(facts.inputsKeptSeconds)} after the generation ends.`,
      `An invalid URL is refused immediately ([\`input_url_invalid\`](#error-input_url_invalid), [\`input_host_not_approved\`](#error-input_host_not_approved)). If a file cannot be fetched or is not suitable, the generation fails with [\`input_unreachable\`](#failure-input_unreachable) or [\`input_invalid\`](#failure-input_invalid) and is refunded.`,
    ],
  };
}

function inputRow({ id, inputs, maxPromptLength }: Model): string[] {
  const { image, video, audio } = inputs;
  const count = (max: number) => (max === 0 ? '–' : `up to ${max}`);
  const files = [image, video, audio].map(({ maxCount }) => count(maxCount));
  return [`\`${id}\``, ...files, `${formatNumber(maxPromptLength)} characters`];
}

/** Limits of one file, the same for all models. */
function capsOf({ inputs: { image, video, audio } }: Model): string {
  const pixels = formatNumber(Math.floor(image.maxPixels / 1_000_000));
  return `An image can have at most ${size(image.maxBytes)} and ${pixels} million pixels, a video ${size(video.maxBytes)}, an audio file ${size(audio.maxBytes)}; all videos together can last at most ${video.maxSeconds} seconds, and so can all audio files.`;
}

/** Real-person mode. */
export function realPeopleGuide({ facts }: GuideSource): Guide {
  const models = facts.models.flatMap((model) =>
    model.type === 'video' && model.realPersonModes.length > 0 ? [model] : [],
  );
  const offered =
    models.length === 0
      ? 'No model of this service currently offers this mode.'
      : markdownTable(
          ['Model', 'Modes'],
          models.map(({ id, realPersonModes }) => [
            `\`${id}\``,
            realPersonModes.map((mode) => `\`${mode}\``).join(', '),
          ]),
        );
  return {
    id: 'real-people',
    title: 'Real people',
    parts: [
      `Inputs that show a real person require real-person mode, in which you confirm that you hold the rights. Send three fields:

- \`parameters.real_person_mode\`: \`true\`
- \`compliance.rights_confirmed\`: \`true\`
- \`compliance.consent_reference\`: your own reference for the consent, 1 to 128 letters, digits and \`. _ : / -\`. It is kept for audits, so refer to a document rather than a person.

Without both confirmations, the request is refused with [\`consent_required\`](#error-consent_required); for other models and modes, with [\`real_person_not_allowed\`](#error-real_person_not_allowed). Any key can use this mode for individual requests. Fictional people do not need it. The service's safety rules always apply and cannot be disabled.`,
      offered,
    ],
  };
}
