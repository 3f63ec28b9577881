import sharp from 'sharp';

/** A picture of one colour with a white band, large enough that half of its file is not enough. */
export async function makePicture(
  background: string,
  format: 'png' | 'jpeg' | 'webp',
  size = { width: 600, height: 400 },
): Promise<Buffer> {
  const band = await sharp({
    create: { width: size.width, height: 40, channels: 3, background: '#ffffff' },
  })
    .png()
    .toBuffer();
  return sharp({ create: { ...size, channels: 3, background } })
    .composite([{ input: band, top: Math.round(size.height / 2), left: 0 }])
    .toFormat(format)
    .toBuffer();
}
