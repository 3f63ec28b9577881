import { describe, expect, test } from '@jest/globals';
import {
  notInRegistry,
  unregisteredNames,
} from '../../gateway/src/http/site/clients/clientPackages.ts';
import { packageFiles, packages, readDocuments } from './documents.ts';

/*
 * Whoever registers a name first gets the keys of everyone who runs it. Texts therefore install or run no package by an
 * unregistered name: their lines use the address of a gateway.
 */
const texts = readDocuments();

/** Words that make a program fetch a package named later on the line, or in the list of arguments. */
const commands = [
  String.raw`(?:npm|pnpm|yarn|bun|deno)\s+(?:i|install|add|exec|x|dlx|create)\b`,
  String.raw`(?:npx|pnpx|bunx|uvx|pipx)\b`,
  String.raw`"(?:npx|bunx|uvx)",\s*"args":\s*\[`,
  String.raw`(?:pip3?|uv pip|uv|poetry)\s+(?:install|add|run|tool)\b`,
  String.raw`go\s+(?:get|install|run)\b`,
  String.raw`Community [Nn]odes\b`,
  String.raw`Manage palette\b`,
].join('|');
/** The rest of a sentence or command, without its line breaks in arguments. */
const installs = new RegExp(String.raw`(?:${commands})[^\n\`\]]*(?:\`[^\`\n]+\`)?`, 'g');

/** Names of packages in a command that are not part of an address. */
function bareNames(command: string): string[] {
  return unregisteredNames().filter((name) =>
    command
      .split(/[\s"'`,]+/)
      .slice(1)
      .some((word) => word.replace(/@v?[\d.]+$|@latest$/, '') === name),
  );
}

const bareIn = (text: string) =>
  [...text.matchAll(installs)].flatMap(([command]) =>
    bareNames(command).length > 0 ? [command] : [],
  );

describe('a text that runs or installs a name that anyone could register is found', () => {
  test.each([
    'npx -y @framegate/client mcp',
    '"command": "npx",\n "args": ["-y", "@framegate/client", "mcp"]',
    'npm install ai @framegate/ai-sdk-provider@0.1.0',
    'pip install framegate',
    'go get github.com/framegate/framegate-go@latest',
    'open **Settings > Community nodes**, choose **Install**, and enter `n8n-nodes-framegate`.',
  ])('%s', (text) => {
    expect(bareIn(text)).toHaveLength(1);
  });

  test.each([...texts.keys()])('not in %s', (file) => {
    // The owner of the name publishes and checks a first 0.0.0.
    if (file.endsWith('PUBLISHING.md')) return;
    expect(bareIn(texts.get(file) ?? '')).toEqual([]);
  });
});

describe('an address of a package', () => {
  const addressed = [...texts].filter(([, text]) => /\/clients\/[\w-]+-\d/.test(text));

  test('is in the documents of all packages', () => {
    expect(addressed.map(([file]) => file)).toEqual(
      expect.arrayContaining(['docs/mcp.md', 'integrations/n8n/README.md', '/clients.md']),
    );
  });

  test.each(addressed)('in %s is one of a file of this version', (_, text) => {
    const names = [...text.matchAll(/\/clients\/([\w-]+-\d[\w.-]*\.(?:tgz|whl|tar\.gz))/g)];
    expect(names.map(([, name = '']) => name).filter((name) => !packageFiles.has(name))).toEqual(
      [],
    );
  });

  test.each(addressed)('in %s is next to the sentence with the reason', (file, text) => {
    const sections = text.split(/^#+ /m).filter((part) => /\/clients\/[\w-]+-\d/.test(part));
    const isPrivate = (part: string) => part.startsWith('Zapier');
    const without = sections.filter((part) => !part.includes(notInRegistry) && !isPrivate(part));
    expect([file, without]).toEqual([file, []]);
  });
});

test('publishing begins with registering the name', () => {
  const pages = [...texts].filter(([file]) => file.endsWith('/PUBLISHING.md'));
  expect(pages).toHaveLength(packages.length);
  for (const [file, text] of pages) {
    const [, first = ''] = text.split('\n\n');
    expect([file, first]).toEqual([file, expect.stringMatching(/\bregister/)]);
  }
});
