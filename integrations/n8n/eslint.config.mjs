import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/** The rules of n8n's verification scan, with nothing else switched off. */
export default tseslint.config(
  { ignores: ['dist/**', 'scripts/**', 'eslint.config.mjs'] },
  { linterOptions: { noInlineConfig: true } },
  { plugins: { 'n8n-nodes-base': n8nNodesBase }, rules: { 'no-console': 'error' } },
  { files: ['test/**/*.mts'], extends: [js.configs.recommended, tseslint.configs.recommended] },
  {
    files: ['**/*.ts'],
    extends: [
      js.configs.recommended,
      tseslint.configs.recommended,
      n8nCommunityNodesPlugin.configs.recommended,
    ],
  },
  {
    files: ['package.json'],
    extends: [n8nCommunityNodesPlugin.configs.recommended],
    rules: { ...n8nNodesBase.configs.community.rules },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { extraFileExtensions: ['.json'] },
    },
  },
  {
    files: ['credentials/**/*.ts'],
    rules: {
      ...n8nNodesBase.configs.credentials.rules,
      'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
      'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
    },
  },
  {
    files: ['nodes/**/*.ts'],
    rules: {
      ...n8nNodesBase.configs.nodes.rules,
      'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
      'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
      'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
    },
  },
);
