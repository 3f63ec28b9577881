#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { configFolderOf } from './configFile.ts';
import { run } from './run.ts';

const stop = new AbortController();
// A second Ctrl-C ends the process immediately.
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());
// The reader of a pipe has stopped reading.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

async function ask(question: string, { isSecret }: { isSecret: boolean }): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) {
    for await (const line of createInterface({ input: stdin })) return line;
    return '';
  }
  stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, onWritten) => onWritten() });
  const lines = createInterface({
    input: stdin,
    output: isSecret ? silent : stderr,
    terminal: true,
  });
  try {
    return await lines.question('', { signal: stop.signal });
  } finally {
    lines.close();
    if (isSecret) stderr.write('\n');
  }
}

const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
process.exitCode = await run(
  process.argv.slice(2),
  {
    ask,
    get lines() {
      return createInterface({ input: process.stdin, signal: stop.signal });
    },
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: stop.signal,
    // A user whom the system does not know, as in some containers, has no home.
    get configFolder() {
      return configFolderOf(process.platform, homedir, process.env);
    },
  },
  (JSON.parse(manifest) as { version: string }).version,
);
