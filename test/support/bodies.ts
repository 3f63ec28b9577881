/** A body of POST /videos that every account may send. */
export function video(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    model: 'alpha-2.0-mini',
    mode: 'text-to-video',
    prompt: 'A paper boat sails across a sea of ink',
    ...fields,
  };
}

/** A body of POST /images that every account may send. */
export function image(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: 'image-b-2', prompt: 'A lighthouse made of paper', ...fields };
}

/** An image input on a host. */
export function imageInput(
  url = 'https://media.example.com/a.png',
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  return { type: 'image', url, ...fields };
}
