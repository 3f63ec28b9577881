import type { Model } from '@framegate/contract';
import { maxInputUrlLength } from '../../../../domain/inputUrl.ts';
import { maxFirst, maxLater } from '../../../../domain/pollHint.ts';
import { grouped, span, size, table, type Guide, type GuideSource } from '../facts.ts';
import { samplesFor } from '../samples.ts';

/** How one comes by an account. */
const waysIn = {
  open: '[Create an account](/sign-up)',
  invite: 'Create an account by the link of your invitation',
  closed: 'Get an account from the operator of this service',
};

export function quickStart({ api, facts }: GuideSource): Guide {
  const model = facts.models.find(({ type }) => type === 'video');
  const body = {
    model: model?.id ?? 'alpha-2.0-fast',
    mode: 'text-to-video',
    prompt: 'A paper boat drifts down a rainy street, seen from above.',
  };
  const key = facts.hasAccounts
    ? `${waysIn[facts.signUp]}, then make a key on the page **API keys**`
    : 'Get a key from the operator of this service';
  const gift =
    facts.signupCredits > 0 ? ` A new account has ${grouped(facts.signupCredits)} credits.` : '';
  return {
    id: 'quick-start',
    title: 'Quick start',
    parts: [
      `1. ${key}.${gift}
2. Put it where your program finds it, not into the program: \`export FRAMEGATE_KEY=fg_live_…\`
3. Create a video. The answer comes at once, with the \`id\` and the cost; the video takes minutes.`,
      samplesFor(api, 'createVideo', body),
      `The clients (\`npm install @framegate/client\`, \`pip install framegate\`) wait until the video is finished, and download it. With curl, read the generation until its \`status\` is \`completed\`, then download \`output.video_url\`, which needs no key:

\`\`\`sh
curl ${facts.baseUrl}/generations/$ID -H "Authorization: Bearer $FRAMEGATE_KEY"
curl -o video.mp4 "$VIDEO_URL"
\`\`\``,
    ],
  };
}

export function keysGuide({ facts }: GuideSource): Guide {
  const page = facts.hasAccounts
    ? 'Keys are made on the page [API keys](/settings/public-api) of your account'
    : 'Keys are made on the page API keys of your account';
  return {
    id: 'keys',
    title: 'Keys',
    parts: [
      `Every request but the download of the OpenAPI document carries \`Authorization: Bearer fg_live_…\`. ${page} and shown once. Every key is live: what it creates is made and paid.

- Keep a key on your server or in the credential store of a workflow tool. A browser or an app must never hold it: browsers of other sites cannot call the API anyway, because CORS is not enabled.
- A key may have a daily limit of credits, a list of models, and hosts that its inputs may come from.
- **Replace** a key without an outage: the old one goes on working for a while that you choose. **Revoke** it at once when it has leaked. Generations that it made go on.
- Idempotency-Keys belong to the account, so a repeat with the new key is answered like one with the old.`,
    ],
  };
}

export function pollingGuide({ api, facts }: GuideSource): Guide {
  const { statusReadsPerMinute } = facts.limits;
  const { min, max } = facts.waitingSeconds;
  const waiting = min === max ? span(max) : `${span(min)} to ${span(max)}, by model,`;
  const { TypeScript = '', Python = '' } = samplesFor(api, 'getGeneration', undefined);
  const wait = (sample: string, download: string) =>
    sample.replace('generations.get', 'generations.wait').replace(/\n[^\n]*$/, `\n${download}`);
  return {
    id: 'polling',
    title: 'Polling',
    parts: [
      `A generation is \`queued\`, then \`processing\`, then \`completed\` or \`failed\`; the last two are final. Until then each answer says in \`retry_after_seconds\` and in the header \`Retry-After\` when to ask again: at most ${maxFirst.video} seconds for the first wait of a video, ${maxFirst.image} of images, and ${maxLater} later on. It is computed from what the model takes on this service, so asking sooner makes nothing sooner. Reads cost no credits; up to ${grouped(statusReadsPerMinute)} status reads a minute are answered.`,
      {
        TypeScript: wait(TypeScript, "await generation.download('result');"),
        Python: wait(Python, 'generation.download("result")'),
      },
      `A generation waits ${waiting} at most for its turn, then runs for at most \`max_seconds\` of its model. Past either it fails and is refunded, so every generation ends.

Files are kept for ${span(facts.outputsKeptSeconds)} after the end. A URL of \`output.urls\` works for ${span(facts.outputUrlSeconds)} at most, until \`output.expires_at\`; read the generation again for a new one. Once the files are deleted, \`urls\` is empty and \`deleted_at\` says since when.`,
    ],
  };
}

export function idempotencyGuide({ facts }: GuideSource): Guide {
  return {
    id: 'idempotency',
    title: 'Idempotency',
    parts: [
      `Every create needs an \`Idempotency-Key\`: 1 to 255 visible ASCII characters, best the id of what you order, such as \`order-1042\`. It makes a create safe to repeat:

- The same key with the same body answers the first answer again, byte for byte, with \`Idempotent-Replayed: true\`. Nothing is made or charged. That holds for ${span(facts.idempotencyKeptSeconds)}, also when the generation has failed: to try a failed one again, use a new key.
- The same key with another body is refused with [\`idempotency_key_reused\`](#error-idempotency_key_reused).
- A refused create (4xx) has made and charged nothing, and its key is free.
- **After a timeout, 500 or 503** it cannot be known whether the create arrived. Send the same request with the same key: it is made and charged at most once. Never make a new key for a retry.

The key belongs to the account and to the path, so the same key may be used once for a video and once for images.`,
    ],
  };
}

export function inputsGuide({ facts }: GuideSource): Guide {
  const open =
    facts.openHosts.length > 0
      ? ` These need no approval here: ${facts.openHosts.map((host) => `\`${host}\``).join(', ')}.`
      : '';
  const ask = facts.hasAccounts
    ? 'Ask for a host beside the key on the page [API keys](/settings/public-api)'
    : 'Ask for a host beside the key';
  const [any] = facts.models;
  return {
    id: 'inputs',
    title: 'Inputs',
    parts: [
      `Pictures, videos and sounds are given by \`url\`: the service fetches each once, right after the create. There is no upload, and \`data:\` URLs are refused.

- The URL is public: https, port 443, no user name, no fragment, no IP address, at most ${grouped(maxInputUrlLength)} characters. Redirects are not followed. A signed URL has to work for some minutes after the create.
- Its host is approved for the key. ${ask}: an exact one, or \`*.assets.example.com\`; it works once it is approved.${open}
- An output URL of one of your own generations is taken without approval: so a picture that you made becomes the first frame of a video.
- What counts is the file, not its name or \`Content-Type\`: JPEG, PNG, WebP; MP4, MOV, WebM; MP3, WAV, M4A, AAC.

Roles: \`image-to-video\` takes one \`first_frame\` (the default there) and at most one \`last_frame\`. \`multimodal-to-video\` takes references, with at least one picture or video. Images take reference pictures.`,
      table(['Model', 'Pictures', 'Videos', 'Sounds', 'Prompt'], facts.models.map(inputRow)),
      any === undefined
        ? ''
        : `${capsOf(any)} The service's copies are deleted ${span(facts.inputsKeptSeconds)} after the end of the generation.`,
      `A refused URL is told at once ([\`input_url_invalid\`](#error-input_url_invalid), [\`input_host_not_approved\`](#error-input_host_not_approved)). A file that cannot be fetched or is not what it should be fails the generation with [\`input_unreachable\`](#failure-input_unreachable) or [\`input_invalid\`](#failure-input_invalid), and the credits come back.`,
    ],
  };
}

function inputRow({ id, inputs, maxPromptLength }: Model): string[] {
  const { image, video, audio } = inputs;
  const count = (max: number) => (max === 0 ? '–' : `up to ${max}`);
  const files = [image, video, audio].map(({ maxCount }) => count(maxCount));
  return [`\`${id}\``, ...files, `${grouped(maxPromptLength)} characters`];
}

/** The caps of one file, which are the same for all models. */
function capsOf({ inputs: { image, video, audio } }: Model): string {
  const pixels = grouped(Math.floor(image.maxPixels / 1_000_000));
  return `A picture has at most ${size(image.maxBytes)} and ${pixels} million pixels, a video ${size(video.maxBytes)}, a sound ${size(audio.maxBytes)}; all videos together last at most ${video.maxSeconds} seconds, and so do all sounds.`;
}

export function realPeopleGuide({ facts }: GuideSource): Guide {
  const models = facts.models.flatMap((model) =>
    model.type === 'video' && model.realPersonModes.length > 0 ? [model] : [],
  );
  const offered =
    models.length === 0
      ? 'No model of this service offers it at present.'
      : table(
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
      `An input that shows the likeness of a real person needs real-person mode, in which you confirm that you hold the rights. Send three fields:

- \`parameters.real_person_mode\`: \`true\`
- \`compliance.rights_confirmed\`: \`true\`
- \`compliance.consent_reference\`: your own reference to the consent, 1 to 128 letters, digits and \`. _ : / -\`. It is kept for audits, so let it name a document, not a person.

Without both confirmations the create is refused with [\`consent_required\`](#error-consent_required), with another model or mode with [\`real_person_not_allowed\`](#error-real_person_not_allowed). Every key may use it, request by request. Fictional people need no mode. Safety rules are the service's own: no field switches them off.`,
      offered,
    ],
  };
}
