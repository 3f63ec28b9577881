import type { S3StoreOptions } from '@framegate/media';
import {
  choice,
  flag,
  parsedSetting,
  type ParsedValues,
  parsePublicUrl,
  textSetting,
} from './setting.ts';

/** Settings of the media store. */
export const mediaStoreSettings = {
  MEDIA_STORE: choice({
    of: ['disk', 's3'],
    fallback: 'disk',
    meaning: 'Where files are stored: `DATA_DIR/media`, or a bucket.',
  }),
  POSTERS: choice({
    of: ['all', 'images', 'none'],
    fallback: 'all',
    meaning:
      'Results with thumbnails on the account site. `images` excludes videos, which then cannot be continued in the studio (docs/adr/0011-posters.md).',
  }),
  MEDIA_DELIVERY: choice({
    of: ['proxy', 'accel', 'redirect'],
    fallback: 'proxy',
    meaning:
      'Who sends files: this process, the proxy in front from the disk store (`accel`), or your CDN through a redirect (docs/deploy/media.md).',
  }),
  MEDIA_ACCEL_PATH: textSetting({
    allowed: 'a path with a leading slash but no trailing slash',
    pattern: /^(\/[A-Za-z0-9_.-]{1,100}){1,8}$/,
    fallbackText: 'X-Sendfile with the path on disk',
    meaning:
      'With `MEDIA_DELIVERY=accel`: the internal location of `DATA_DIR/media` in nginx, for X-Accel-Redirect.',
  }),
  MEDIA_REDIRECT_URL: parsedSetting(
    {
      allowed: 'an http or https URL',
      meaning:
        "With `MEDIA_DELIVERY=redirect`: the URL of your CDN, to which a file's key is appended.",
    },
    parsePublicUrl,
  ),
  MEDIA_REDIRECT_KEY: textSetting({
    allowed: 'a secret of 32 to 1024 characters without spaces',
    pattern: /^\S{32,1024}$/,
    isSecret: true,
    meaning: 'The secret with which the CDN verifies signed URLs.',
  }),
  S3_BUCKET: textSetting({
    allowed: 'a bucket name',
    pattern: /^[A-Za-z0-9._-]{3,255}$/,
    meaning: 'The bucket; required with `MEDIA_STORE=s3`.',
  }),
  S3_REGION: textSetting({
    fallback: 'us-east-1',
    allowed: 'a region name',
    pattern: /^[a-z0-9-]{1,64}$/,
    meaning: "The bucket's region.",
  }),
  S3_ENDPOINT: parsedSetting(
    {
      fallbackText: "AWS's own",
      allowed: 'an http or https URL',
      meaning: 'The URL of another S3-compatible store.',
    },
    parsePublicUrl,
  ),
  S3_PREFIX: textSetting({
    allowed: 'a path without a leading slash',
    pattern: /^[A-Za-z0-9!_.*'()-][A-Za-z0-9!_.*'()/-]{0,254}$/,
    fallbackText: 'none',
    meaning: 'A folder in the bucket.',
  }),
  S3_ACCESS_KEY_ID: textSetting({
    allowed: 'an access key ID',
    pattern: /^\S{1,256}$/,
    fallbackText: "the AWS SDK's default credentials",
    meaning: 'The access key; set it together with `S3_SECRET_ACCESS_KEY`.',
  }),
  S3_SECRET_ACCESS_KEY: textSetting({
    allowed: 'a secret access key',
    pattern: /^\S{1,1024}$/,
    isSecret: true,
    meaning: 'The secret of the access key.',
  }),
  S3_FORCE_PATH_STYLE: flag({
    fallback: 'false',
    meaning: 'Puts the bucket name in the path instead of the host name.',
  }),
};

/** The store of files. */
export type MediaStoreConfig = { kind: 'disk'; folder: string } | ({ kind: 's3' } & S3StoreOptions);

/** How files reach customers. */
export type MediaDeliveryConfig =
  | { by: 'proxy' }
  | { by: 'accel'; path: string | null; folder: string }
  | { by: 'redirect'; to: { url: string; secret: string } };

/** The configured delivery. @param folder The folder of the disk store. */
export function arrangeMediaDelivery(
  values: ParsedValues<typeof mediaStoreSettings>,
  folder: string,
): MediaDeliveryConfig {
  const { MEDIA_DELIVERY: by, MEDIA_REDIRECT_URL: url, MEDIA_REDIRECT_KEY: secret } = values;
  if (by === 'accel') return { by, path: values.MEDIA_ACCEL_PATH, folder };
  if (by === 'redirect' && url !== null && secret !== null) return { by, to: { url, secret } };
  return { by: 'proxy' };
}

/** The types of results with small pictures, by the value of POSTERS. */
export const posterTypes = { all: ['image', 'video'], images: ['image'], none: [] } as const;

/** The configured media store. @param folder The folder of the disk store. */
export function arrangeMediaStore(
  values: ParsedValues<typeof mediaStoreSettings>,
  folder: string,
): MediaStoreConfig {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = values;
  if (values.MEDIA_STORE === 'disk' || bucket === null) {
    return { kind: 'disk', folder };
  }
  return {
    kind: 's3',
    bucket,
    region: values.S3_REGION,
    endpoint: values.S3_ENDPOINT,
    prefix: values.S3_PREFIX,
    credentials:
      id === null || secret === null ? null : { accessKeyId: id, secretAccessKey: secret },
    forcePathStyle: values.S3_FORCE_PATH_STYLE,
  };
}
