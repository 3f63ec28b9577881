import type { Model } from '@framegate/contract';
import { maxInputUrlLength } from '../../../../domain/inputUrl.ts';
import { grouped, size, span, table, type Guide, type GuideSource } from '../facts.ts';

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
