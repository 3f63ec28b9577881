import { isPlainId, type Dialect } from '../dialect.ts';
import { parseRows } from '../rows.ts';
import models from '../rows/google.json' with { type: 'json' };

/**
 * `@ai-sdk/google` 4: Veo for videos, Gemini for images. Pictures only as bytes; the resolution by name (the
 * package knows only landscape sizes); sound cannot be omitted. A filtered video is "done" without a sample.
 */
export const googleDialect: Dialect = {
  name: 'google',
  apiHosts: ['generativelanguage.googleapis.com'],
  takesBytesOnly: true,
  defaultRules: [
    {
      match: /person ?generation|photorealistic (children|people|person)|celebrity|identifiable/i,
      code: 'real_person_rejected',
    },
    {
      match:
        /raimediafiltered|responsible ai|usage guidelines|blocked by|prohibited_content|image_safety|\bsafety\b/i,
      code: 'content',
    },
  ],
  models: parseRows(models),
  // An operation's name includes its model; people copy the whole name or its end.
  operationOf: (name, model) => {
    const id = /^(?:models\/[\w.-]+\/operations\/)?([^/]+)$/.exec(name)?.[1] ?? '';
    if (!isPlainId(id)) return null;
    return { operationName: id === name ? `models/${model}/operations/${id}` : name };
  },
  refusedImages: ({ images, providerMetadata }) =>
    images.length > 0 ? null : JSON.stringify(providerMetadata?.['google'] ?? {}),
};
