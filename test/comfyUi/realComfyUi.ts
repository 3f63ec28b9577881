import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/freePort.ts';
import { until } from '../support/until.ts';

/** The checkout of ComfyUI that COMFYUI_DIR names, with torch for processors; null without one. */
export const comfyUiDir = process.env['COMFYUI_DIR'] ?? null;

/** A real ComfyUI on the processor. */
export interface RealComfyUi {
  origin: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** The files that it has saved, as they are on its disk. */
  saved(): Promise<Buffer[]>;
  /** Kills it and removes its folders. */
  close(): Promise<void>;
}

/** Python with ComfyUI's requirements: of the checkout's own environment, or the one on the path. */
function python(folder: string): string {
  const named = process.env['COMFYUI_PYTHON'];
  const own = ['.venv', 'venv'].map((name) => join(folder, name, 'bin/python'));
  return named ?? own.find((path) => existsSync(path)) ?? 'python3';
}

/** Prepares a server with folders of its own. @param folder A checkout. */
export async function prepareComfyUi(folder: string): Promise<RealComfyUi> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${String(port)}`;
  const own = await mkdtemp(join(tmpdir(), 'framegate-comfyui-'));
  const folders = ['output', 'input', 'temp', 'user'];
  for (const name of folders) await mkdir(join(own, name));
  let child: ChildProcess | null = null;

  const isUp = () =>
    fetch(`${origin}/system_stats`).then(
      (response) => response.ok,
      () => false,
    );

  async function kill(): Promise<void> {
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    child = null;
  }

  return {
    origin,
    async start() {
      const options = folders.map((name) => [`--${name}-directory`, join(own, name)]).flat();
      const plain = ['--disable-all-custom-nodes', '--disable-api-nodes', '--cpu'];
      const at = ['--listen', '127.0.0.1', '--port', String(port)];
      child = spawn(python(folder), ['main.py', ...at, ...plain, ...options], {
        cwd: folder,
        stdio: 'ignore',
      });
      const { pid } = child;
      await until(isUp, `ComfyUI (process ${String(pid)}) responses at ${origin}`);
    },
    kill,
    async saved() {
      const entries = await readdir(join(own, 'output'), { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
    },
    async close() {
      await kill();
      await rm(own, { recursive: true, force: true });
    },
  };
}
