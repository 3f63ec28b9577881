/** Codecs in MP4, QuickTime and Matroska that players of MP4 lack, by the name that their file gives them. */
const names: Readonly<Record<string, string>> = {
  mp4v: 'MPEG-4 part 2',
  s263: 'H.263',
  h263: 'H.263',
  'V_MPEG4/ISO/ASP': 'MPEG-4 part 2',
  V_MPEG2: 'MPEG-2',
  m2v1: 'MPEG-2',
  mp2v: 'MPEG-2',
  'V_MS/VFW/FOURCC': 'Video for Windows',
  V_PRORES: 'Apple ProRes',
  ...Object.fromEntries(
    ['apcn', 'apch', 'apcs', 'apco', 'ap4h', 'ap4x'].map((name) => [name, 'Apple ProRes']),
  ),
  AVdn: 'DNxHD',
  AVdh: 'DNxHR',
  CFHD: 'CineForm',
  jpeg: 'Motion JPEG',
  mjpa: 'Motion JPEG',
  mjpb: 'Motion JPEG',
  V_MJPEG: 'Motion JPEG',
  'png ': 'PNG images',
  rle: 'QuickTime Animation',
  'rle ': 'QuickTime Animation',
  SVQ3: 'Sorenson Video 3',
  V_THEORA: 'Theora',
  vvc1: 'H.266',
  vvi1: 'H.266',
  alac: 'Apple Lossless',
  A_ALAC: 'Apple Lossless',
  samr: 'AMR',
  sawb: 'AMR wideband',
  ac_4: 'AC-4',
  'ac-4': 'AC-4',
  dtsc: 'DTS',
  A_DTS: 'DTS',
  ima4: 'IMA ADPCM',
  A_WAVPACK4: 'WavPack',
};

/** Words for a codec that cannot be used: its name, or the one in its file. */
export function codecName(id: unknown): string {
  if (typeof id === 'number') return `WAVE format ${id}${waveNames[id] ?? ''}`;
  if (typeof id !== 'string') return 'an unknown codec';
  const name = names[id];
  if (name !== undefined) return name;
  return /^[\w ./-]{1,20}$/.test(id) ? `codec "${id.trim()}"` : 'an unknown codec';
}

const waveNames: Readonly<Record<number, string>> = {
  2: ' (ADPCM)',
  0x11: ' (IMA ADPCM)',
  0x31: ' (GSM)',
};
