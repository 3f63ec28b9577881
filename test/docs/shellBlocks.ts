/** A fenced block of shell commands in a document. */
interface ShellBlock {
  /** Each command with its continuations and its here document, without comments. */
  commands: readonly string[];
  /** The JSON that the document shows below it as the response; null where it shows none. */
  response: unknown;
}

/** A block, and the JSON block that follows it directly or after a line about the response. */
const fenced =
  /^( *)```(?:sh|console)\n(.*?)^ *```\n(?:\n(?:[^\n]*\bresponse\b[^\n]*:\n\n)? *```json\n(.*?)^ *```\n)?/gms;

/** The shell blocks of a Markdown text, from top to bottom. */
export function shellBlocks(markdown: string): ShellBlock[] {
  return [...markdown.matchAll(fenced)].map(([, indent = '', text = '', response]) => ({
    commands: commandsOf(text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')),
    response: response === undefined ? null : (JSON.parse(response) as unknown),
  }));
}

/** One command: up to the end of its here document, or of the line that no `\` continues. */
const one = /^(?!#).*<<'(\w+)'\n(?:.*\n)*?\1$|^(?![#\s])(?:.*\\\n)*.*/gm;

function commandsOf(text: string): string[] {
  return [...text.matchAll(one)]
    .map(([command]) => command.replaceAll(/\\\n\s*/g, '').replace(/\s+# .*$/, ''))
    .filter((command) => command !== '');
}

/** Words with which a line installs something. */
const installing =
  /^(?:(?:npm|pnpm|yarn|bun) (?:ci|i|install|add)\b|npx |pnpx |uvx |pipx |pip3? install\b|go (?:get|install)\b)/;

/** The commands in the text around blocks that install something, and those of agents' settings that start one. */
function commandsInText(markdown: string): string[] {
  const spans = [...markdown.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const started = [...markdown.matchAll(/"command": "(npx)",\s*"args": (\[[^\]]*\])/g)].map(
    ([, program = '', args = '']) => [program, ...(JSON.parse(args) as string[])].join(' '),
  );
  // `npm ci` alone is the name of a command.
  const lines = spans.filter((span) => installing.test(span) && /\S \S+ \S/.test(span));
  return [...lines, ...started];
}

/** All commands of a document: those of its blocks, and those in its text that install something. */
export function documentCommands(markdown: string): string[] {
  const around = markdown.replaceAll(
    /^ *```(\w*)\n(.*?)^ *```$/gms,
    (_block, language: string, text: string) => (language === 'json' ? text : ''),
  );
  return [...shellBlocks(markdown).flatMap(({ commands }) => commands), ...commandsInText(around)];
}
