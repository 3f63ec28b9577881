/** Modes of a video. */
export const videoModes = ['text-to-video', 'image-to-video', 'multimodal-to-video'] as const;
export type VideoMode = (typeof videoModes)[number];

export const videoResolutions = ['480p', '720p', '1080p', '1440p', '2160p'] as const;
export type VideoResolution = (typeof videoResolutions)[number];

export const videoAspectRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'] as const;
export type VideoAspectRatio = (typeof videoAspectRatios)[number];

export const imageResolutions = ['1k', '2k', '4k'] as const;
export type ImageResolution = (typeof imageResolutions)[number];

export const imageAspectRatios = [...videoAspectRatios, '3:2', '2:3'] as const;
export type ImageAspectRatio = (typeof imageAspectRatios)[number];

export const imageFormats = ['png', 'jpeg', 'webp'] as const;
export type ImageFormat = (typeof imageFormats)[number];

export const inputTypes = ['image', 'video', 'audio'] as const;
export type InputType = (typeof inputTypes)[number];

export const inputRoles = ['first_frame', 'last_frame', 'reference'] as const;
export type InputRole = (typeof inputRoles)[number];

/** Range of seeds; excludes 0, which some providers treat as "none". */
export const seedRange = { min: 1, max: 2_147_483_647 } as const;
