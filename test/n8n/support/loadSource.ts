/**
 * A file of the node's source, with a stand-in for n8n's library: quick, and without the package's own install.
 * Imported by URL, because the file's types come from packages that are not installed here.
 * @param file Below integrations/n8n.
 */
export async function loadSource<T>(file: string): Promise<T> {
  return (await import(new URL(`../../../integrations/n8n/${file}`, import.meta.url).href)) as T;
}

/** An error of the stand-in: the arguments that the node passed to n8n's own error. */
export interface HandedOver extends Error {
  handedOver: unknown[];
}

/** The message and description that n8n would show for an error of the node. */
export function shownOf(error: unknown): { message: string; description: string } {
  const [first, second] = (error as HandedOver).handedOver as [
    unknown,
    { message?: string; description?: string } | undefined,
  ];
  const said = first instanceof Error ? first.message : first;
  const message = second?.message ?? (typeof said === 'string' ? said : '');
  return { message, description: second?.description ?? '' };
}
