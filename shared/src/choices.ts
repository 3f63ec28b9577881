/** Modes of a video. */
export const videoModes = ['text-to-video', 'image-to-video', 'multimodal-to-video'] as const;
/** The way to make a video. */
export type VideoMode = (typeof videoModes)[number];

/** Resolutions of videos. */
export const videoResolutions = ['480p', '720p', '1080p', '1440p', '2160p'] as const;
/** A resolution of a video. */
export type VideoResolution = (typeof videoResolutions)[number];

/** Aspect ratios of videos. */
export const videoAspectRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'] as const;
/** An aspect ratio of a video. */
export type VideoAspectRatio = (typeof videoAspectRatios)[number];

/** Resolutions of images. */
export const imageResolutions = ['1k', '2k', '4k'] as const;
/** A resolution of an image. */
export type ImageResolution = (typeof imageResolutions)[number];

/** Aspect ratios of images. */
export const imageAspectRatios = [...videoAspectRatios, '3:2', '2:3'] as const;
/** An aspect ratio of an image. */
export type ImageAspectRatio = (typeof imageAspectRatios)[number];

/** File formats of images. */
export const imageFormats = ['png', 'jpeg', 'webp'] as const;
/** A file format of an image. */
export type ImageFormat = (typeof imageFormats)[number];

/** Media types of inputs. */
export const inputTypes = ['image', 'video', 'audio'] as const;
/** The media type of an input. */
export type InputType = (typeof inputTypes)[number];

/** Uses of inputs in a generation. */
export const inputRoles = ['first_frame', 'last_frame', 'reference'] as const;
/** The use of an input in a generation. */
export type InputRole = (typeof inputRoles)[number];

/** Range of seeds; excludes 0, which some providers treat as "none". */
export const seedRange = { min: 1, max: 2_147_483_647 } as const;
