import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, parse } from 'node:path';
import {
  imageParameters,
  type Parameter,
  type ParameterTable,
  parameterTables,
  videoParameters,
} from '@framegate/contract';
import { contractSchemas } from '@framegate/contract/openapi';
import type { Target } from '../target.ts';
import { head } from './integrationContract.ts';
import { declaration } from './typescriptTypes.ts';

const root = join(import.meta.dirname, '../..');
const folder = 'integrations/typescript/src/generated';
const core = join(root, 'integrations/typescript/src/core');

/** Schemas of the contract as TypeScript, for the client without dependencies. */
const types: Target = {
  file: `${folder}/api.ts`,
  content() {
    return head + Object.entries(contractSchemas()).map(declaration).join('\n');
  },
};

/** Price function with the types of the OpenAPI document. */
const price: Target = {
  file: `${folder}/priceCredits.ts`,
  content() {
    const text = readFileSync(join(root, 'shared/src/priceCredits.ts'), 'utf8');
    const own = text.replace("'./generated/wire.ts'", "'./api.ts'");
    if (own === text || own.match(/^import /gm)?.length !== 1) {
      throw new Error('shared/src/priceCredits.ts imports more than the types of prices');
    }
    return head + own;
  },
};

/** Files of the client's core that other packages contain as well. */
const sharedWith = {
  'ai-sdk': [
    'connection',
    'generationBody',
    'json',
    'noStore',
    'pace',
    'retry',
    'sleep',
    'userAgent',
  ],
  operator: readdirSync(core).flatMap((file) =>
    file === 'generationBody.ts' ? [] : parse(file).name,
  ),
} as const;

/** A program may use both packages: their base errors have different names. */
const inOperator = { FramegateError: 'OperatorError' };

const copied: readonly Target[] = [
  copyOf('typescript/src/generated/api', 'ai-sdk/src'),
  ...sharedWith['ai-sdk'].map((name) => copyOf(`typescript/src/core/${name}`, 'ai-sdk/src')),
  ...sharedWith.operator.map((name) =>
    copyOf(`typescript/src/core/${name}`, 'operator/src', inOperator),
  ),
  copyOf('zapier/src/flagWords', 'n8n/nodes/Framegate'),
  ...['n8n/nodes/Framegate', 'zapier/src'].map((to) =>
    copyOf('typescript/src/core/connection', to),
  ),
];

/** A copy in the folder `generated` of another package's sources, where the relative imports lead to the same names. */
function copyOf(name: string, to: string, words: Readonly<Record<string, string>> = {}): Target {
  const source = `integrations/${name}.ts`;
  return {
    file: `integrations/${to}/generated/${basename(source)}`,
    content() {
      let text = readFileSync(join(root, source), 'utf8');
      for (const [from, word] of Object.entries(words)) text = text.replaceAll(from, word);
      return `/* Copied from ${source} by "npm run generate": do not edit. */\n\n${text.replace(head, '')}`;
    },
  };
}

/** Options of the command line for the parameters. */
const options: Target = {
  file: `${folder}/parameterOptions.ts`,
  content() {
    const { seed, ...ofVideos } = videoParameters;
    const rows = Object.entries({ ...ofVideos, ...imageParameters, seed }).flatMap(optionOf);
    const parsed = rows.map(({ name, letter, kind }) => {
      const type = kind === 'flag' ? 'boolean' : 'string';
      return `'${name}': { type: '${type}'${letter === undefined ? '' : `, short: '${letter}'`} }`;
    });
    return `${head}/** Options of the parameters, as parseArgs takes them. */
export const parameterOptions = { ${parsed.join(', ')} } as const;

/** A parameter's option, and its kind. */
export interface ParameterOption {
  option: keyof typeof parameterOptions;
  kind: 'integer' | 'fraction' | 'choice' | 'flag' | 'text';
}

/** Options by parameter, for videos. */
export const videoOptions: Readonly<Record<string, ParameterOption>> = ${optionsOf(videoParameters)};

/** Options by parameter, for images. */
export const imageOptions: Readonly<Record<string, ParameterOption>> = ${optionsOf(imageParameters)};

/** The options' lines in the help. */
export const optionsHelp = \`${rows.map(helpLine).join('\n')}\`;
`;
  },
};

interface CliOption {
  parameter: string;
  name: string;
  letter?: string;
  argument?: string;
  hint?: string;
  kind: Parameter['kind'];
}

/** Empty for a parameter implied by another option. */
function optionOf([parameter, { option, kind }]: [string, Parameter]): CliOption[] {
  return option === null ? [] : [{ parameter, ...option, kind }];
}

function optionsOf(table: ParameterTable): string {
  const lines = Object.entries(table)
    .flatMap(optionOf)
    .map(({ parameter, name, kind }) => `${parameter}: { option: '${name}', kind: '${kind}' },`);
  return `{ ${lines.join(' ')} }`;
}

/** The column at which explanations start. */
const helpColumn = 37;

function helpLine({ parameter, name, letter, argument, hint }: CliOption): string {
  const owners = Object.entries(parameterTables).filter(([, table]) =>
    Object.hasOwn(table, parameter),
  );
  const only = owners.length === 1 ? `${owners[0]?.[0] ?? ''}s only` : '';
  const option = `  ${letter === undefined ? '    ' : `-${letter}, `}--${name}${argument === undefined ? '' : ` <${argument}>`}`;
  return `${option.padEnd(helpColumn)}${hint ?? only}`.trimEnd();
}

/** Files of `@framegate/client` generated from the contract, and one package's files copied to others. */
export const typescriptClient: readonly Target[] = [types, price, options, ...copied];
