import { defineConfig, globalIgnores } from 'eslint/config';
import { builtinRules } from 'eslint/use-at-your-own-risk';
import sortImports from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';
import { verbs } from './scripts/verbs.js';

/** Each kind of access to the outside world has one place; the messages name it. */
const outside = {
  environment: {
    object: 'process',
    property: 'env',
    message:
      'Settings come from loadConfig (gateway/src/config.ts), the one reader of process.env.',
  },
  now: {
    object: 'Date',
    property: 'now',
    message: 'Take a Clock (application/ports/system.ts): its now() is database time (I7, I10).',
  },
  chance: {
    object: 'Math',
    property: 'random',
    message: 'Take a Random (application/ports/system.ts): fraction(), seed(), bytes() or newId().',
  },
};

const outsideSyntax = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
    message:
      'Take a Clock (application/ports/system.ts) and pass its now() on: new Date(clock.now()).',
  },
  {
    selector: 'CallExpression[callee.name="Date"]',
    message:
      'Date() is the wall clock of this machine: take a Clock (application/ports/system.ts).',
  },
  {
    selector:
      'CallExpression[callee.name="fetch"], MemberExpression[property.name="fetch"][object.name="globalThis"]',
    message:
      'Requests leave only through an adapter: the guarded client in adapters/net for input URLs, gateway/providers for their own APIs.',
  },
];

/** Fields of a log line, in the call or in a constant for it. */
const logFields = [
  'CallExpression[callee.property.name=/^(debug|info|warn|error)$/] > ObjectExpression',
  'VariableDeclarator[id.name=/^(alert|where)$/] > ObjectExpression',
];
const logSyntax = {
  selector: logFields.map((at) => `${at} > Property > Identifier.key[name=/_/]`).join(', '),
  message: 'Fields of the log are in camelCase, except for those of OpenTelemetry.',
};

/** One form for everything that can be written in several: that of most places. */
const oneWay = {
  'arrow-body-style': 'error',
  curly: ['error', 'multi-line', 'consistent'],
  'func-style': ['error', 'declaration', { allowArrowFunctions: true }],
  'logical-assignment-operators': ['error', 'always', { enforceForIfStatements: true }],
  'no-else-return': 'error',
  'no-lonely-if': 'error',
  'no-unneeded-ternary': 'error',
  'no-useless-return': 'error',
  'no-useless-rename': 'error',
  'object-shorthand': 'error',
  'operator-assignment': 'error',
  'prefer-arrow-callback': 'error',
  'prefer-template': 'error',
};
const pauseSyntax = {
  selector:
    'ImportDeclaration[source.value="node:timers/promises"] > ImportSpecifier[imported.name="setTimeout"]:not([local.name="pause"])',
  message: 'It is imported as pause, which cannot be mistaken for the global timer.',
};
const spreadSyntax = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Write the properties themselves.',
};
const oneWaySyntax = [
  pauseSyntax,
  spreadSyntax,
  {
    selector:
      'ClassDeclaration[superClass.name=/(Error|Refusal)$/]:not([id.name=/(Error|Refusal)$/])',
    message: 'Names of error classes end with Error, those of refusals with Refusal.',
  },
  {
    selector:
      'ConditionalExpression[alternate.raw="null"] > CallExpression[callee.property.name="canParse"]',
    message: 'URL.parse gives the address or null.',
  },
  {
    selector:
      "TaggedTemplateExpression[tag.name=\"html\"] > TemplateLiteral > ConditionalExpression:matches([consequent.raw=/^(null|'')$/], [alternate.raw=/^(null|'')$/])",
    message: 'Write optional content as `condition && …`.',
  },
  {
    selector:
      ':matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator:not([id.typeAnnotation]) > ArrowFunctionExpression[body.type="BlockStatement"]',
    message: 'A function with statements is declared as one; arrows are for one expression.',
  },
  {
    selector: 'CallExpression[callee.property.name="forEach"]',
    message: 'Write for … of, which can wait, return and be left.',
  },
  {
    selector: 'ExportDefaultDeclaration',
    message: 'An export has one name everywhere.',
  },
  {
    selector:
      'NewExpression[callee.name="Router"]:not(FunctionDeclaration[id.name="strictRouter"] NewExpression)',
    message: 'Take strictRouter (http/strictRouter.ts).',
  },
];

/** Words that say how a thing came about, where a name says what it is. */
const vague =
  '/^(found|known|kept|shown|wanted|given|told|said|done|made|asked|noted|opened|taken|tried|timed|measured|watched|composed|published|of|i)$/';
const participle =
  '/^((?!Feed|Seed|Speed|Need)[A-Z][a-z]*ed|Shown|Found|Known|Kept|Given|Told|Said|Done|Sent|Taken|Made|Seen|Left|Held|Written)$/';
/** Participles that name a function by how its result came about; a verb or a noun says what the caller gets. */
const participleFunction =
  '/^((?!feed|need|seed|speed|shed|embed|exceed|proceed)[a-z]+ed|shown|found|known|kept|given|told|said|done|sent|taken|made|seen|left|held|written|drawn|thrown|grown|chosen|begun|hidden|spent)$/';
/** A function or an interface that others use says what it is for. */
const documented = {
  create(context) {
    const check = (node) => {
      if (context.sourceCode.getCommentsBefore(node).at(-1)?.value.startsWith('*')) return;
      context.report({ node, message: 'An exported function or interface has a docstring.' });
    };
    return {
      'ExportNamedDeclaration:has(> :matches(FunctionDeclaration, TSInterfaceDeclaration, ClassDeclaration))':
        check,
      'ExportNamedDeclaration:has(> VariableDeclaration > VariableDeclarator > ArrowFunctionExpression)':
        check,
    };
  },
};

/** In a docstring of several lines, a tag begins a line. */
const tagsBeginLines = {
  create(context) {
    const isInside = (line) => /[^\s*].* @(param|returns|throws)\b/.test(line);
    const check = (comment) => {
      const lines = comment.value.split('\n');
      if (lines.length === 1 || !lines.some(isInside)) return;
      context.report({ loc: comment.loc, message: 'Begin a line with each tag of a docstring.' });
    };
    return { Program: () => context.sourceCode.getAllComments().forEach(check) };
  },
};

/**
 * A function that acts or waits begins with a verb. Others that may: `with…` runs work inside of something, `on…` takes
 * an event, and a promised boolean reads as a question. The names of logs and of the database's driver are not ours.
 */
const begins = new RegExp(
  `^(${verbs.join('|')}|with|on)(?![a-z])|^(main|debug|info|warn|error|bulkWrite|lean|_initialize)$`,
);
const asks = /^(is|has|can|may|does|takes|lacks)(?![a-z])/;
const actsByVerb = {
  create(context) {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const check = (id, node) => {
      if (id?.type !== 'Identifier' || begins.test(id.name)) return;
      const signature = checker.getSignatureFromDeclaration(esTreeNodeToTSNodeMap.get(node));
      const result = checker.typeToString(signature.getReturnType());
      if (result !== 'void' && !/^(Promise(Like)?|Async(Generator|Iterable))</.test(result)) return;
      if (asks.test(id.name) && result.endsWith('<boolean>')) return;
      const message = 'A function that acts or waits begins with a verb (scripts/verbs.js).';
      context.report({ node: id, message });
    };
    return {
      FunctionDeclaration: (node) => check(node.id, node),
      'VariableDeclarator > :matches(ArrowFunctionExpression, FunctionExpression).init': (node) =>
        check(node.parent.id, node),
      TSMethodSignature: (node) => check(node.key, node),
      'TSPropertySignature > TSTypeAnnotation > TSFunctionType': (node) =>
        check(node.parent.parent.key, node),
    };
  },
};

/** Words that no name may have. */
const wordRules = [
  'error',
  {
    selector: [
      `VariableDeclarator > Identifier.id[name=${vague}]`,
      `:function > Identifier.params[name=${vague}]`,
      `:function > AssignmentPattern.params > Identifier.left[name=${vague}]`,
      `ArrayPattern > Identifier[name=${vague}]`,
      `FunctionDeclaration[id.name=${vague}]`,
    ].join(', '),
    message: 'Name the thing: an account, an index, the entries.',
  },
  {
    selector: [
      `FunctionDeclaration[id.name=${participleFunction}]`,
      `VariableDeclarator[id.name=${participleFunction}] > ArrowFunctionExpression`,
      `TSMethodSignature[key.name=${participleFunction}]`,
    ].join(', '),
    message: 'Name a function by a verb, or by the noun of its result: parseJson, priceCredits.',
  },
  {
    selector: `:matches(TSInterfaceDeclaration, TSTypeAliasDeclaration, ClassDeclaration)[id.name=${participle}]`,
    message: 'A type is named by a noun: RefusedResult, not Refused.',
  },
];

/** Names, by the rule for syntax under a second name, so that neither list replaces the other. */
const naming = {
  plugins: {
    naming: { rules: { words: builtinRules.get('no-restricted-syntax'), documented, actsByVerb } },
  },
  rules: {
    'naming/documented': 'error',
    'naming/actsByVerb': 'error',
    'naming/words': wordRules,
  },
};

/** A minute, an hour and a day have names, so that no one counts zeros. */
const durationSyntax = {
  selector: [
    'Literal[raw=/^(60|120|180|240|600|900|1_?800|3_?600|86_?400)_?000$/]',
    'BinaryExpression[operator="*"][left.raw=/^(60|3_?600)$/][right.raw=/^1_?000$/]',
    'BinaryExpression[operator="*"][left.operator="*"][left.right.raw="60"][right.raw=/^1_?000$/]',
    'BinaryExpression[operator="*"][left.raw="24"][right.raw=/^(60|3_?600)$/]',
  ].join(', '),
  message: 'Take minuteMs, hourMs or dayMs (@framegate/contract).',
};

/** Imports in one order: Node, packages, workspaces, the folders above, this folder. */
const importOrder = {
  plugins: { imports: sortImports },
  rules: {
    'imports/imports': [
      'error',
      { groups: [['^\\u0000', '^node:', '^@?\\w', '^@framegate/', '^\\.\\.', '^\\.']] },
    ],
    'no-duplicate-imports': 'error',
  },
};

/** Packages with dependencies that are not there at first: only rules that need no types check them. */
const packagesApart = ['n8n', 'zapier', 'node-red', 'activepieces'].map(
  (name) => `integrations/${name}/**`,
);

const testsAndScripts = [
  'test/**/*.ts',
  'lab/**/*.ts',
  'gateway/*/test/**/*.ts',
  'scripts/**/*.ts',
  '**/*.test.ts',
];

const typedRules = defineConfig(
  importOrder,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { docstrings: { rules: { tagsBeginLines } } },
    rules: {
      eqeqeq: 'error',
      ...oneWay,
      'docstrings/tagsBeginLines': 'error',
      // Prettier keeps the lines of code; no one else would keep those of comments.
      'max-len': [
        'error',
        { code: 10_000, comments: 120, ignoreUrls: true, ignorePattern: '^\\s*// eslint' },
      ],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-properties': ['error', ...Object.values(outside)],
      'no-restricted-syntax': [
        'error',
        ...outsideSyntax,
        ...oneWaySyntax,
        logSyntax,
        durationSyntax,
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:process',
              message: 'Use the global process; settings come from loadConfig.',
            },
            { name: 'process', message: 'Use the global process; settings come from loadConfig.' },
          ],
        },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // [...text] counts code points, the unit of our limits.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // One typed reader for unknown values of a driver or JSON.parse: fromDocument<Account>(document).
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // A port's method is async whether or not this implementation of it has to wait.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: [
      'gateway/src/**/*.ts',
      'gateway/{limits,media,preview,providers,embedded-mongod}/src/**/*.ts',
      'shared/src/**/*.ts',
      '{lab,scripts}/**/*.ts',
      'integrations/{typescript,operator,ai-sdk}/src/**/*.ts',
    ],
    ignores: ['**/*.{test,acceptance}.ts'],
    ...naming,
  },
  {
    files: ['**/*.ts'],
    rules: { '@typescript-eslint/no-shadow': ['error', { hoist: 'never' }] },
  },
  {
    files: ['gateway/src/config.ts'],
    rules: { 'no-restricted-properties': ['error', outside.now, outside.chance] },
  },
  {
    // Where the clock, chance and the network are adapted; settings still come from loadConfig.
    files: ['gateway/{src/adapters,providers,embedded-mongod}/**/*.ts'],
    rules: {
      'no-restricted-properties': ['error', outside.environment],
      'no-restricted-syntax': ['error', ...oneWaySyntax, logSyntax, durationSyntax],
    },
  },
  {
    files: testsAndScripts,
    rules: {
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', pauseSyntax, spreadSyntax],
    },
  },
  {
    files: ['lab/**/*.ts', 'scripts/**/*.ts'],
    ignores: ['**/*.{test,acceptance}.ts'],
    rules: { 'no-restricted-syntax': ['error', pauseSyntax, spreadSyntax, durationSyntax] },
  },
  {
    files: testsAndScripts,
    rules: {
      // Prettier keeps the lines of code; no one else would keep those of comments.
      'max-len': [
        'error',
        { code: 10_000, comments: 120, ignoreUrls: true, ignorePattern: '^\\s*// eslint' },
      ],
      'max-lines': ['error', { max: 500 }],
      'no-console': 'off',
      // `expect.any` and its like are of type any, to stand in the place of every value.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['shared/src/durations.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // They stand alone, without the contract.
    files: ['integrations/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', ...outsideSyntax, ...oneWaySyntax, logSyntax] },
  },
  {
    // The clients take clock, chance and network from its platform, and the environment from there too.
    files: [
      'integrations/typescript/src/{,core/}platform.ts',
      'integrations/typescript/src/cli/main.ts',
      'integrations/ai-sdk/src/{api,videoModel,imageModel,pause,repeat}.ts',
    ],
    rules: { 'no-restricted-properties': 'off', 'no-restricted-syntax': 'off' },
  },
  {
    // A product of its own, which reads its environment and prints.
    files: ['docs/examples/**/*.ts'],
    rules: {
      'no-restricted-properties': 'off',
      'no-restricted-syntax': 'off',
      'no-console': 'off',
    },
  },
  { files: ['**/*.js', '**/*.cjs'], rules: { eqeqeq: 'error' } },
);

export default defineConfig(
  // The browser's tests have packages of their own, which are not there at first; their own suite checks them.
  globalIgnores([
    '**/node_modules/',
    '**/dist/',
    '**/generated/',
    'coverage/',
    '.framegate/',
    'test/browser/',
  ]),
  {
    files: packagesApart.map((folder) => `${folder}/*.ts`),
    // Their own configurations have the rules that their comments switch off.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    ignores: ['**/*.test.ts', 'integrations/n8n/test/**'],
    languageOptions: { parser: tseslint.parser },
    plugins: naming.plugins,
    rules: { 'naming/words': wordRules },
  },
  ...typedRules.map((block) => ({
    ...block,
    ignores: [...(block.ignores ?? []), ...packagesApart],
  })),
);
