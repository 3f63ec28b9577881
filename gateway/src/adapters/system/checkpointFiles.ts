import { type FileHandle, open as openHandle, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { messageOf } from '@framegate/contract';
import type {
  AuditedAccount,
  CheckedAccount,
  Checkpoint,
  CheckpointFiles,
} from '../../application/ports/ledgerAudit.ts';
import { CommandError } from '../../domain/installation/commandError.ts';

/** Checkpoints of the ledger as files with one JSON object per line. */
export const checkpointFiles: CheckpointFiles = {
  async open(path) {
    const head = await readFirstLine(path);
    return {
      ...parseHead(head),
      async *listAccounts() {
        let isHead = true;
        for await (const line of readLines(await openFile(path, 'r'))) {
          if (!isHead) yield parseAccount(line);
          isHead = false;
        }
      },
    };
  },
  writer(path) {
    const tempPath = `${path}.${process.pid}`;
    let file: FileHandle | undefined;
    return {
      async begin(checkpoint) {
        file = await openFile(tempPath, 'wx');
        await file.writeFile(formatHead(checkpoint));
      },
      async add(accounts) {
        await file?.writeFile(formatAccounts(accounts));
      },
      async end(isKept) {
        await file?.sync();
        await file?.close();
        if (isKept) await rename(tempPath, path);
        else await rm(tempPath, { force: true });
      },
    };
  },
};

/** @throws CommandError if it cannot be opened. */
async function openFile(path: string, flags: string): Promise<FileHandle> {
  try {
    return await openHandle(path, flags, 0o600);
  } catch (error) {
    throw new CommandError(`The checkpoint file cannot be opened: ${messageOf(error)}.`);
  }
}

/** The lines of a file, which is closed even if its reader stops early. */
async function* readLines(file: FileHandle): AsyncGenerator<string> {
  const input = file.createReadStream({ encoding: 'utf8' });
  try {
    yield* createInterface({ input, crlfDelay: Infinity });
  } finally {
    input.destroy();
  }
}

async function readFirstLine(path: string): Promise<string | undefined> {
  for await (const line of readLines(await openFile(path, 'r'))) return line;
  return undefined;
}

/** Names the format of a file. */
const format = 'framegate ledger checkpoint 1';

/** The first line of a checkpoint. */
const formatHead = ({ at, open }: Pick<Checkpoint, 'at' | 'open'>): string =>
  `${JSON.stringify({ format, at, open })}\n`;

/** @throws CommandError */
function parseHead(line: string | undefined): Pick<Checkpoint, 'at' | 'open'> {
  const { at, open, ...head } = parseLine(line);
  if (head['format'] !== format || typeof at !== 'number' || !Array.isArray(open)) {
    throw new CommandError('The --since file is not a checkpoint from "ledger verify".');
  }
  return { at, open: open.map(String) };
}

/** A line for each account. */
const formatAccounts = (accounts: readonly AuditedAccount[]): string =>
  accounts
    .map(({ id, version, ledgerEntries: entries, ledgerHash: hash, lots, plan }) => {
      const checked: CheckedAccount = { id, version, entries, hash, lots, ...(plan && { plan }) };
      return `${JSON.stringify(checked)}\n`;
    })
    .join('');

function parseAccount(line: string): CheckedAccount {
  const parsed = parseLine(line) as Partial<CheckedAccount>;
  const { id, version, entries, hash, lots } = parsed;
  if (id === undefined || entries === undefined || !Array.isArray(lots)) {
    throw new CommandError('The --since file is damaged.');
  }
  const { plan } = parsed;
  return { id, entries, lots, version: version ?? 0, hash: hash ?? null, ...(plan && { plan }) };
}

function parseLine(line = ''): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    throw new CommandError(
      'The --since file is damaged, or is not a checkpoint from "ledger verify".',
    );
  }
}
