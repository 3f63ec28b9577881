import { join } from 'node:path';
import ts from 'typescript';
import startMongod from '../../support/globalSetup.ts';
import { prepareBrowser } from './prepareBrowser.ts';

const folder = join(import.meta.dirname, '..');

/** Installs the browser's driver, checks the types of the tests, and starts a mongod. */
export default async function globalSetup(): Promise<void> {
  await prepareBrowser();
  checkTypes();
  await startMongod();
}

/**
 * With the types of a browser some of the gateway's own sources do not fit: these tests' errors count, and to check
 * their files alone takes less than half the time.
 */
function checkTypes(): void {
  const host: ts.ParseConfigFileHost = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (problem) => refuse([problem]),
  };
  const settings = ts.getParsedCommandLineOfConfigFile(join(folder, 'tsconfig.json'), {}, host);
  const { fileNames = [], options = {}, errors = [] } = settings ?? {};
  const program = ts.createProgram(fileNames, options);
  refuse([...errors, ...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()]);
  for (const name of fileNames) {
    const file = program.getSourceFile(name);
    refuse([...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
  }
}

/** @throws Error with the problems, if there are any. */
function refuse(problems: readonly ts.Diagnostic[]): void {
  if (problems.length === 0) return;
  const { getCurrentDirectory, newLine } = ts.sys;
  const form = { getCurrentDirectory, getNewLine: () => newLine };
  throw new Error(
    ts.formatDiagnostics(problems, { ...form, getCanonicalFileName: (name) => name }),
  );
}
