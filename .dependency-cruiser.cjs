/**
 * Who may import whom:
 *   main, gateway, compose/, admin -> everything
 *   http -> application -> application/ports/ -> domain -> shared
 *   adapters -> application/ports/, domain, shared
 *   all of gateway/src -> the types of media and providers        application -> the errors of media
 *   http, adapters/mail -> texts      all but domain -> limits
 *   compose/ -> media and providers, by their entries; both -> shared, limits
 *   compose/ -> embedded-mongod and preview, by their entries and when they are needed
 *   lab -> everything, the tests' harness included        scripts/targets -> lab
 * Each library that reaches outside lives in one folder, so that it can be replaced there.
 */
const gateway = (folder) => `^gateway/src/${folder}/`;
const compositionRoot =
  '^gateway/(start\\.js$|src/((main|gateway|admin|welcome|trial)\\.ts$|compose/))';
const commandLine = '^gateway/src/commands/';
const config = '^gateway/src/(config\\.ts$|settings/)';
const shared = '^shared/src/';
/** Packages that an installation for production does not have. */
const tryingOut = '^gateway/(preview|embedded-mongod)/src/';
/** Workspaces that the gateway is built on and that do not know it. */
const apart = '^gateway/(limits|media|providers)/src/';
const limits = '^gateway/limits/src/';
/** The types of the workspaces that work for use cases. `workspaces-by-their-types` forbids the values. */
const workspaceTypes = '^gateway/(media|providers)/src/index\\.ts$';
const mediaErrors = '^gateway/media/src/mediaErrors\\.ts$';
const tests = '(\\.test\\.ts$|^(test|lab)/|^gateway/[^/]+/test/|^scripts/)';
const library = (names) => `node_modules/(${names})/`;

/** A package's imports are in its own package.json; the gateway's, above it, would hide a missing name. */
const namesItsPackages = (folder) => ({
  name: `${folder}-names-its-packages`,
  from: { path: `^gateway/${folder}/`, pathNot: tests },
  to: {
    path: 'node_modules/',
    pathNot: library(
      Object.keys(require(`./gateway/${folder}/package.json`).dependencies).join('|'),
    ),
  },
});

const forbidden = [
  {
    name: 'no-cycles',
    comment: 'Files in a circle can only be understood together: move what both need to a third.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-unresolved',
    comment:
      'The import leads nowhere. (What integrations, examples and the tests of the clients install is not there at first.)',
    from: {
      pathNot: '^(integrations|docs/examples|test/clients/(typescript/runtimes|activepieces))/',
    },
    to: { couldNotResolve: true },
  },
  {
    name: 'no-undeclared-packages',
    comment: 'Every package used is named in package.json; tests use the copies of what they test.',
    from: { pathNot: tests },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'shared-knows-only-joi',
    comment: 'The contract has no I/O and is copied into the integrations.',
    from: { path: shared, pathNot: tests },
    to: { pathNot: [shared, library('joi')] },
  },
  {
    name: 'domain-is-pure',
    comment: 'Rules take values and return values; what they need comes as a parameter.',
    from: { path: gateway('domain'), pathNot: tests },
    to: {
      pathNot: [
        gateway('domain'),
        shared,
        workspaceTypes,
        '^node:(crypto|net|url|zlib)$',
        '^(crypto|net|url|zlib)$',
        // Pure functions: arithmetic on addresses, the public-suffix list, linear-time patterns.
        library('ipaddr\\.js|tldts|re2js'),
      ],
    },
  },
  {
    name: 'application-knows-domain-only',
    comment:
      'A use case reaches outside through application/ports/. It gives codes and values: pages and emails word them.',
    from: { path: gateway('application'), pathNot: tests },
    to: {
      pathNot: [
        gateway('(application|domain)'),
        shared,
        limits,
        workspaceTypes,
        mediaErrors,
        '^(node:)?(crypto|events|stream|util)$',
        library('p-limit'),
      ],
    },
  },
  {
    name: 'ports-know-domain-only',
    comment: 'Use cases and adapters know the ports; a port knows neither.',
    from: { path: gateway('application/ports'), pathNot: tests },
    to: { pathNot: [gateway('(application/ports|domain)'), shared, workspaceTypes] },
  },
  {
    name: 'texts-know-nothing',
    comment: 'A catalogue of texts is data; pages and emails fill in the values.',
    from: { path: gateway('texts'), pathNot: tests },
    to: {
      pathNot: [
        gateway('texts'),
        // Words of refusals.
        '^gateway/src/domain/(text/language|refusal|refusalCodes)\\.ts$',
        shared,
        '^(node:)?(async_hooks|fs)$',
        library('intl-messageformat'),
      ],
    },
  },
  {
    name: 'http-never-reaches-adapters',
    comment: 'Take the port as a dependency; main.ts hands in the adapter.',
    from: { path: gateway('http'), pathNot: tests },
    to: { path: [gateway('adapters'), config, compositionRoot] },
  },
  {
    name: 'documentation-knows-no-account',
    comment:
      'The pages of the account are built on the documentation; what both need is next to them.',
    from: { path: gateway('http/site/docs'), pathNot: tests },
    to: { path: gateway('http/site/account') },
  },
  {
    name: 'adapters-know-ports-only',
    comment: 'An adapter implements ports; it calls no use case and no other layer.',
    from: { path: gateway('adapters'), pathNot: tests },
    to: {
      path: '^gateway/src/',
      pathNot: gateway('(adapters|domain|application/ports|texts)'),
    },
  },
  {
    name: 'of-adapters-only-mails-have-words',
    from: { path: gateway('adapters'), pathNot: [gateway('adapters/mail'), tests] },
    to: { path: gateway('texts') },
  },
  {
    name: 'adapters-do-not-know-each-other',
    comment:
      'What two adapters share is a port, a domain rule or the network kit; main.ts joins them.',
    from: { path: '^gateway/src/adapters/([^/]+)/', pathNot: tests },
    to: { path: '^gateway/src/adapters/', pathNot: '^gateway/src/adapters/($1|net)/' },
  },
  {
    name: 'config-knows-rules-only',
    comment: 'Settings are read and checked without touching what they set.',
    from: { path: config, pathNot: tests },
    to: { path: '^gateway/src/', pathNot: [config, gateway('domain')] },
  },
  {
    name: 'command-line-knows-use-cases',
    comment: 'Like http: it reads what was asked for, calls a use case and presents the result.',
    from: { path: commandLine, pathNot: tests },
    to: { path: '^gateway/src/', pathNot: [commandLine, gateway('(application|domain|texts)')] },
  },
  {
    name: 'nothing-imports-the-composition-root',
    comment: 'main.ts constructs; no other module reaches back for what it has made.',
    from: { path: '^(gateway|shared)/', pathNot: [compositionRoot, tests] },
    to: { path: compositionRoot },
  },
  {
    name: 'database-libraries-in-their-adapters',
    from: { path: '^gateway/src/', pathNot: [gateway('adapters/(mongo|agenda)'), tests] },
    to: { path: library('mongoose|mongodb|agenda|@agendajs/[^/]+') },
  },
  {
    name: 'packages-for-trying-out-stand-alone',
    comment: 'What they need of the gateway is passed as options.',
    from: { path: tryingOut, pathNot: tests },
    to: {
      path: '^(gateway|shared|integrations)/',
      pathNot: ['^gateway/$1/src/', '^shared/src/(durations|log|text)\\.ts$'],
    },
  },
  {
    name: 'workspaces-stand-alone',
    comment: 'What they need of the gateway is passed as options, in types of their own.',
    from: { path: apart, pathNot: tests },
    to: {
      path: '^(gateway|shared|integrations)/(?!node_modules/)',
      pathNot: ['^gateway/$1/src/', shared, '^gateway/limits/src/index\\.ts$'],
    },
  },
  ...['preview', 'embedded-mongod', 'limits', 'media', 'providers'].map(namesItsPackages),
  {
    name: 'workspaces-by-their-entry',
    from: { path: '^gateway/src/', pathNot: tests },
    to: { path: [tryingOut, apart], pathNot: ['/src/index\\.ts$', mediaErrors] },
  },
  {
    name: 'workspaces-by-their-types',
    comment: 'compose/ hands in what fulfils them; only errors, which are told apart, are values.',
    from: { path: '^gateway/src/', pathNot: [compositionRoot, tests] },
    to: {
      path: '^gateway/(media|providers)/src/',
      pathNot: mediaErrors,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'packages-for-trying-out-when-needed',
    comment: 'An installation for production does not have them: import() where a setting asks.',
    from: { path: '^gateway/src/', pathNot: tests },
    to: { path: tryingOut, dynamic: false },
  },
  {
    name: 'koa-in-http-only',
    from: { path: '^gateway/src/', pathNot: [gateway('http'), tests] },
    to: { path: library('koa|koa-[^/]+|@koa/[^/]+|@types/koa') },
  },
  {
    name: 'joi-where-input-is-checked',
    from: { path: '^gateway/src/', pathNot: [config, tests] },
    to: { path: library('joi') },
  },
  {
    name: 'ai-sdk-in-providers-only',
    from: { path: '^gateway/src/', pathNot: tests },
    to: { path: library('@ai-sdk/[^/]+') },
  },
  {
    name: 'integrations-stand-alone',
    comment: 'They are published on their own, with a generated copy of the contract.',
    from: {
      path: '^integrations/([^/]+)/',
      pathNot: [tests, '^integrations/(node-red|activepieces)/'],
    },
    to: {
      path: '^(gateway|shared|integrations)/',
      pathNot: '^integrations/$1/',
    },
  },
  {
    name: 'small-tools-on-the-client',
    comment: 'Their packages contain the client.',
    from: { path: '^integrations/(node-red|activepieces)/' },
    to: {
      path: '^(gateway|shared|integrations)/',
      pathNot: '^integrations/($1/|typescript/src/(node/)?index\\.ts$)',
    },
  },
  {
    name: 'examples-stand-alone',
    comment: 'They are copied into products: they use packages, like anybody.',
    from: { path: '^docs/examples/([^/]+)/' },
    to: { path: '^(gateway|shared|integrations|test|lab|scripts)/' },
  },
  {
    name: 'client-for-every-runtime',
    comment: 'Only node/ and cli/ use what Node has; edge runtimes load the rest.',
    from: { path: '^integrations/typescript/src/', pathNot: '/src/(node|cli)/' },
    to: { pathNot: '^integrations/typescript/src/(?!node/|cli/)' },
  },
  {
    name: 'operator-client-for-every-runtime',
    from: { path: '^integrations/operator/src/' },
    to: { pathNot: '^integrations/operator/src/' },
  },
  {
    name: 'client-without-dependencies',
    from: { path: '^integrations/typescript/src/' },
    to: { path: 'node_modules/', dependencyTypesNot: ['core', 'type-only'] },
  },
  {
    name: 'no-test-code-in-production',
    from: { path: '^(gateway|shared|integrations)/', pathNot: tests },
    to: { path: tests },
  },
  {
    name: 'nothing-imports-the-lab',
    comment:
      'What the lab shares with tests lives in test/. (A target of scripts/ writes its tables into documents.)',
    from: { pathNot: '^(lab|scripts/targets)/' },
    to: { path: '^lab/' },
  },
  {
    name: 'nothing-imports-tests',
    comment:
      'A test file runs its tests where it is imported; what others need is in a file next to it.',
    from: {},
    to: { path: '\\.(test|acceptance)\\.ts$' },
  },
];

module.exports = {
  forbidden: forbidden.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage)/|^test/browser/|^test/clients/openapi/programs/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
