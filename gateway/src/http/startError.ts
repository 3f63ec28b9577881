/** The server cannot start. The message is for the person who started the gateway: what to do about it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

function unknownHost(host: string): string {
  return `There is no host named ${host}. Set HOST to an address of this machine, such as 127.0.0.1.`;
}

const reasons: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use by another program. Stop that program, or set PORT to a free port.`,
  EACCES: (_host, port) =>
    `This user may not open port ${port}. Set PORT to 1024 or above, or put a proxy in front.`,
  EADDRNOTAVAIL: (host) =>
    `${host} is not an address of this machine. Set HOST to one of its own, to 127.0.0.1 (only this machine) or to 0.0.0.0 (all).`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
};

/** Says why the server cannot listen. */
export function startErrorFor(error: Error, host: string, port: number): StartError {
  const code = 'code' in error ? String(error.code) : '';
  const reason =
    reasons[code]?.(host, port) ?? `Cannot listen on ${host}, port ${port}: ${error.message}`;
  return new StartError(reason, { cause: error });
}
