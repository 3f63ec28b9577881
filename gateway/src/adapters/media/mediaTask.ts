/** Work on a file whose bytes are not trusted; done in a process of its own (mediaProcess.ts). */
export type MediaTask =
  | {
      task: 'inspect';
      path: string;
      type: 'image' | 'video' | 'audio';
      maxPixels: number;
      /** Where a small picture of a picture or a video is drawn, if it can be. */
      preview?: string;
    }
  /** Inspects a customer's picture, encodes it anew without what it says beside its pixels, and draws a small one. */
  | {
      task: 'cleanPicture';
      path: string;
      target: string;
      preview: string;
      maxPixels: number;
      /** Of a WebP with transparency, which takes several times the memory to encode. */
      maxTransparentWebp: number;
    }
  /** Changes the file in place. */
  | { task: 'cleanVideo'; path: string }
  | {
      task: 'encodeImage';
      path: string;
      target: string;
      format: 'png' | 'jpeg' | 'webp';
      maxPixels: number;
    }
  /** The first or the last picture of a video that is clean already, in full size, and a small one of it. */
  | {
      task: 'takeFrame';
      path: string;
      which: 'first' | 'last';
      target: string;
      preview: string;
      maxPixels: number;
    }
  /** Small pictures of a file that is clean already, each as a WebP of its width. */
  | {
      task: 'drawPosters';
      path: string;
      type: 'image' | 'video';
      targets: { width: number; path: string }[];
      maxPixels: number;
    };

/** What a good file is. Sizes in pixels as displayed, durations in seconds. */
export interface InspectedMedia {
  ok: true;
  mediaType: string;
  /** Of the stored file, without a dot. */
  extension: string;
  width?: number;
  height?: number;
  seconds?: number;
  /** The small picture that was asked for is there. */
  preview?: true;
}

/** A file that is not what it should be; the reason is short, for staff and logs. */
export interface InvalidMedia {
  ok: false;
  reason: string;
  /** Set when reading it cost more than a valid file does. */
  slow?: true;
  /** Set for a picture with more pixels than it may have. */
  tooManyPixels?: { pixels: number; most: number; isTransparentWebp: boolean };
}

/** What came of a task. */
export type MediaVerdict = InspectedMedia | InvalidMedia;

/** What the child answers; a `fault` is one of our own installation or disk, not of the file. */
export type ChildAnswer = MediaVerdict | { fault: string };
