import { optionsHelp } from '../generated/parameterOptions.ts';
import { exitCodes } from './exitCodes.ts';

const codes = Object.entries(exitCodes)
  .map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`)
  .join('\n');

/** Text of `framegate help`. */
export const help = `Usage: framegate <command> [options]

  framegate login                    store the API's base URL and a key
  framegate video "<prompt>" -m <model> -o out.mp4
  framegate image "<prompt>" -m <model> -o out.png
  framegate wait <generation> -o out.mp4
  framegate batch prompts.csv -m <model> -o folder
  framegate models                   the models your key can use, with their prices
  framegate price -m <model>         the price of a generation
  framegate balance                  your available credits
  framegate mcp                      tools for an agent, on standard input and output (MCP)

Create
  -m, --model <id>                   see "framegate models"
${optionsHelp}
      --first-frame <url>            videos only: starts with this image
      --last-frame <url>             videos only: ends with this image
      --image <url>                  a reference image; may be repeated
      --video <url>, --audio <url>   a reference for a video; may be repeated
      --consent <reference>          your reference for the consent of the real person in it
      --max-credits <credits>        refuses anything more expensive; for mcp, limits the total
      --idempotency-key <key>        the same command with the same key is never charged twice

Wait and download
  -o, --output <path>                a file or a folder; without it, the URLs are printed
      --timeout <seconds>            default 3600
      --no-wait                      prints the generation and exits

Batch: a column named prompt, and one for each of the options above that differs by row
  -y, --yes                          spends without asking; --max-credits applies to all rows together
      --retry-failed                 creates failed rows again

Everywhere
      --base-url <url>               instead of the stored one, or set FRAMEGATE_URL; with FRAMEGATE_KEY
      --json                         JSON lines; the default where the output is not a terminal
  -h, --help, --version

Exit codes
${codes}
`;
