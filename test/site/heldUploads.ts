import type { Collections } from '../../gateway/src/adapters/mongo/collections.ts';

/** Adds this many pictures that generations of an account need until then. */
export async function addHeldUploads(
  { uploads }: Pick<Collections, 'uploads'>,
  accountId: string,
  count: number,
  until: Date,
): Promise<void> {
  const times = { createdAt: until, expiresAt: until, neededUntil: until };
  const file = { type: 'image', bytes: 1, previewKey: null, source: null, size: null } as const;
  await uploads.insertMany(
    Array.from({ length: count }, (_, index) => ({
      ...file,
      ...times,
      _id: `upl_${index}`,
      accountId,
      key: `uploads/x${index}/0.jpg`,
      seconds: null,
    })),
  );
}
