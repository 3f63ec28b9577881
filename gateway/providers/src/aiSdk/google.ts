import type { Dialect } from '../dialect.ts';

/**
 * `@ai-sdk/google` 4: Veo for videos, Gemini for images. Pictures only as bytes; the resolution by name (the
 * package knows only landscape sizes); sound cannot be omitted. A filtered video is "done" without a sample. An
 * operation's name includes its model; people copy the whole name or its end.
 */
export const google: Partial<Dialect> = {
  refusedImages: ({ images, providerMetadata }) =>
    images.length > 0 ? null : JSON.stringify(providerMetadata?.['google'] ?? {}),
};

/**
 * `@ai-sdk/google-vertex` 5 with an API key: the models of `@ai-sdk/google` at Vertex AI. Here sound can be
 * omitted, a finished video is base64 inside the answer to the poll, and only the whole name locates the operation.
 */
export const googleVertex: Partial<Dialect> = {
  refusedImages: ({ images, isRetryable }) => {
    if (images.length > 0) return null;
    // The package reveals no more about the reason.
    return isRetryable === false ? 'content filter' : 'no image';
  },
};
