import { choice, flag, parseConnectionUrl, parsed, parsePublicUrl, path, text } from './setting.ts';

/** The database, and the folder of the installation. */
export const databaseSettings = {
  MONGODB_URI: parsed(
    {
      fallbackText: 'an embedded server in `DATA_DIR`',
      allowed: 'a connection string that starts with mongodb:// or mongodb+srv://',
      secret: true,
      meaning: 'The database: a MongoDB replica set, 6.0 or newer.',
    },
    parseConnectionUrl(['mongodb', 'mongodb+srv']),
  ),
  DATA_DIR: path({
    fallback: '.framegate',
    meaning:
      'The folder of this installation: embedded database, generated secrets, files of the disk store. Processes with the same folder share its database.',
  }),
  PROVIDERS_DIR: path({
    fallbackText: 'the packages beside the gateway',
    meaning:
      "A folder with a package.json and node_modules of its own, where the packages of providers are looked for before the gateway's own: `npm install --prefix <folder> <package>`.",
  }),
  MONGOD: path({
    fallbackText: '`mongod` on PATH, else a download',
    meaning: 'The mongod program for the embedded database.',
  }),
  CACHE_DIR: path({
    fallbackText: "the user's cache folder",
    meaning: 'Where downloaded programs are kept, shared by all data folders.',
  }),
};

/** Where files are kept. */
export const mediaStoreSettings = {
  MEDIA_STORE: choice({
    of: ['disk', 's3'],
    fallback: 'disk',
    meaning: 'Where files are kept: `DATA_DIR/media`, or a bucket.',
  }),
  POSTERS: choice({
    of: ['all', 'images', 'none'],
    fallback: 'all',
    meaning:
      'Of which results the account site shows small pictures: `images` leaves videos out, for which one picture of H.264 is decoded (docs/adr/0012-posters.md).',
  }),
  S3_BUCKET: text({
    allowed: 'a bucket name',
    pattern: /^[A-Za-z0-9._-]{3,255}$/,
    meaning: 'The bucket. Needed with `MEDIA_STORE=s3`.',
  }),
  S3_REGION: text({
    fallback: 'us-east-1',
    allowed: 'a region name',
    pattern: /^[a-z0-9-]{1,64}$/,
    meaning: "The bucket's region.",
  }),
  S3_ENDPOINT: parsed(
    {
      fallbackText: "AWS's own",
      allowed: 'an http or https URL',
      meaning: 'The address of another S3-compatible store.',
    },
    parsePublicUrl,
  ),
  S3_PREFIX: text({
    allowed: 'a path without a leading slash',
    pattern: /^[A-Za-z0-9!_.*'()-][A-Za-z0-9!_.*'()/-]{0,254}$/,
    fallbackText: 'none',
    meaning: 'A folder in the bucket.',
  }),
  S3_ACCESS_KEY_ID: text({
    allowed: 'an access key id',
    pattern: /^\S{1,256}$/,
    fallbackText: "the AWS SDK's own search",
    meaning: 'Access key; together with `S3_SECRET_ACCESS_KEY`.',
  }),
  S3_SECRET_ACCESS_KEY: text({
    allowed: 'a secret access key',
    pattern: /^\S{1,1024}$/,
    secret: true,
    meaning: 'Its secret.',
  }),
  S3_FORCE_PATH_STYLE: flag({
    fallback: 'false',
    meaning: 'Puts the bucket into the path instead of the host name.',
  }),
};

/** How mails are sent. */
export const mailSettings = {
  SMTP_URL: parsed(
    {
      fallbackText: 'mails become files in `DATA_DIR/mails`, and the log names the page of each',
      allowed: 'a URL that starts with smtp:// or smtps://',
      secret: true,
      meaning: 'The mail server, with user and password where it wants them.',
    },
    parseConnectionUrl(['smtp', 'smtps']),
  ),
  MAIL_FROM: text({
    fallbackText: '`no-reply@` the host of `ACCOUNT_URL`',
    allowed: 'an address, or a name with an address in <>',
    pattern: /^[^\r\n]*[^\s<>@]+@[^\s<>@]+>?$/,
    meaning: 'The sender of mails.',
  }),
};
