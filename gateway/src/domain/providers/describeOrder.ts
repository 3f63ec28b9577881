/** The parts of an order that decide its cost. */
interface PricedOrder {
  mode: string | null;
  parameters: object & { resolution: string };
  references: Readonly<Record<string, number>>;
}

/** An order in words, such as `text-to-video, 720p, 5 s, with sound, 16:9`. */
export function describeOrder({ mode, parameters, references }: PricedOrder): string {
  const {
    resolution,
    duration_seconds: seconds,
    generate_audio: sound,
    n,
    aspect_ratio: ratio,
  } = parameters as {
    resolution: string;
    duration_seconds?: number;
    generate_audio?: boolean;
    n?: number;
    aspect_ratio?: string;
  };
  const files = Object.entries(references).filter(([, count]) => count > 0);
  return [
    ...(mode === null ? [] : [mode]),
    resolution,
    seconds === undefined ? `${n} images` : `${seconds} s`,
    ...(sound ? ['with sound'] : []),
    ...(ratio === undefined ? [] : [ratio]),
    ...files.map(([type, count]) => `${count} ${type} references`),
  ].join(', ');
}
