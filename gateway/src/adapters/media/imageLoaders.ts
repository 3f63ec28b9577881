import sharp from 'sharp';

/*
 * What libvips may read: the three kinds of picture that are taken, from files. No SVG, PDF, TIFF,
 * ImageMagick or other loader, whatever a file claims to be.
 */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'],
});
sharp.cache(false);
// One picture in a process that ends with it.
sharp.concurrency(1);

export { sharp };
