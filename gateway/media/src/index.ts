export { createMedia, type MediaOptions } from './createMedia.ts';
export { createManifestSigner, type ManifestSigner } from './manifestSigner.ts';
export type * from './media.ts';
export type { LocalFile, MediaStore, StoredFile } from './mediaStore.ts';
export type { S3StoreOptions } from './s3Store.ts';
