/** Tests of the table "Features of each client" in docs/integrations.md: file and name, by client. */
export const clientClaims: readonly {
  claim: string;
  tests: Readonly<Record<string, readonly [file: string, name: string]>>;
}[] = [
  {
    claim: 'a create request whose response is lost is repeated with one key, and charged once',
    tests: {
      TypeScript: [
        'test/clients/faults/faults.acceptance.ts',
        '%s: one generation, one key, paid once, whatever the fault',
      ],
      'command line': [
        'test/clients/typescript/commandLine.acceptance.ts',
        'a create without a response: the same command, with its key',
      ],
      Python: [
        'test/clients/faults/faults.acceptance.ts',
        '%s: one generation, one key, paid once, whatever the fault',
      ],
      'AI SDK': [
        'test/clients/ai-sdk/provider.acceptance.ts',
        'a create whose response is lost is repeated with its key, and paid once',
      ],
      MCP: [
        'test/mcp/creates.test.ts',
        'the same request in the same session, as after a lost reply',
      ],
    },
  },
  {
    claim: 'resumed after a timeout or a restart',
    tests: {
      TypeScript: ['test/clients/typescript/client.acceptance.ts', 'a wait is resumed by the id'],
      'command line': [
        'test/clients/typescript/commandLine.acceptance.ts',
        'a timeout: the command to resume',
      ],
      Python: [
        'integrations/python/tests/test_wait.py',
        'test_a_timeout_has_the_id_and_a_later_wait_takes_it_up',
      ],
      MCP: [
        'test/mcp/tools.test.ts',
        'make images: estimated, created, waited for, linked and shown',
      ],
    },
  },
  {
    claim: 'cancelled by the caller',
    tests: {
      TypeScript: [
        'test/clients/typescript/client.acceptance.ts',
        'an abort ends the wait at once and has the id',
      ],
      'command line': [
        'test/clients/typescript/commandLine.acceptance.ts',
        'Ctrl-C prints the id and the command to resume; that command brings the file',
      ],
      Python: [
        'integrations/python/tests/test_wait.py',
        'test_a_wait_that_is_cancelled_ends_at_once',
      ],
      'AI SDK': [
        'test/clients/ai-sdk/provider.acceptance.ts',
        'an abort ends the wait immediately',
      ],
      MCP: [
        'test/mcp/bridge.test.ts',
        'a request that the client cancels ends, without a response',
      ],
    },
  },
  {
    claim: 'an interrupted download',
    tests: {
      TypeScript: [
        'test/clients/typescript/download.acceptance.ts',
        'a connection that is cut again and again is resumed where it broke',
      ],
      'command line': [
        'test/clients/typescript/commandLine.acceptance.ts',
        'a full disk: the command to download it again',
      ],
      Python: [
        'integrations/python/tests/test_download.py',
        'test_a_broken_line_is_taken_up_where_it_broke',
      ],
      'AI SDK': [
        'test/clients/ai-sdk/provider.acceptance.ts',
        'makes all images by one create, and downloads them without the key',
      ],
      MCP: [
        'test/mcp/tools.test.ts',
        'make images: estimated, created, waited for, linked and shown',
      ],
    },
  },
  {
    claim: 'the exact price in advance',
    tests: {
      TypeScript: [
        'test/clients/typescript/price.test.ts',
        'the computed price is the one that the gateway bills, or both refuse',
      ],
      'command line': [
        'test/clients/typescript/commandLine.acceptance.ts',
        'all options reach the API',
      ],
      Python: [
        'integrations/python/tests/test_gateway.py',
        'test_prices_are_those_of_the_examples_and_of_the_bill',
      ],
      MCP: ['test/mcp/tools.test.ts', 'estimates equal the bill'],
    },
  },
  {
    claim: 'a limit on the credits of a create request',
    tests: {
      TypeScript: [
        'test/clients/typescript/client.acceptance.ts',
        'equals the charge, and above the limit nothing is created',
      ],
      'command line': [
        'test/clients/typescript/commandLine.acceptance.ts',
        'each error has a code and a next step',
      ],
      Python: ['integrations/python/tests/test_create.py', 'test_costs_no_more_than_allowed'],
      MCP: ['test/mcp/creates.test.ts', 'holds for every create, and a repeat costs nothing'],
    },
  },
  {
    claim: 'a failed generation',
    tests: {
      TypeScript: [
        'test/clients/typescript/client.acceptance.ts',
        'a failed generation names the reason and the refund',
      ],
      'command line': ['test/clients/typescript/commandLine.acceptance.ts', 'a failed generation'],
      Python: [
        'integrations/python/tests/test_wait.py',
        'test_a_failed_generation_says_so_with_the_refund',
      ],
      'AI SDK': [
        'test/clients/ai-sdk/provider.acceptance.ts',
        'a failed generation names the reason',
      ],
      MCP: ['test/mcp/tools.test.ts', "a tool refuses in the API's words, with the names of tools"],
    },
  },
  {
    claim: '50 simultaneous create requests wait together at a rate limit',
    tests: {
      TypeScript: [
        'test/clients/typescript/pace.test.ts',
        '50 creates at once, at the usual limit of the gateway',
      ],
      'command line': [
        'test/clients/typescript/batch.acceptance.ts',
        'a killed batch resumes where it stopped, and each row is paid once',
      ],
      Python: [
        'integrations/python/tests/test_limits.py',
        'test_threads_of_one_client_wait_together',
      ],
      'AI SDK': [
        'test/clients/ai-sdk/responses.test.ts',
        '50 creates at once wait together at the usual limit of the gateway',
      ],
    },
  },
  {
    claim: 'progress',
    tests: {
      TypeScript: [
        'test/clients/typescript/progress.test.ts',
        'reports its place among the queued generations that the client awaits',
      ],
      'command line': [
        'test/clients/typescript/commandLine.acceptance.ts',
        'shows a temporary bar on a terminal, and writes the file',
      ],
      Python: [
        'integrations/python/tests/test_progress.py',
        'test_tells_the_share_of_the_usual_time_and_the_place',
      ],
      MCP: ['test/mcp/waits.test.ts', 'is reported in revisions %s to the caller that asks'],
    },
  },
];
