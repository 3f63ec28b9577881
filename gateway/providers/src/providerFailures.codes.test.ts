import { describe, expect, test } from '@jest/globals';
import { testedPackages } from './aiSdk/dialects.ts';
import { arkDialect } from './modelArk/modelArk.ts';
import { previewDialect } from './openProvider.ts';
import { failureCodeOf } from './providerFailures.ts';
import type { DefaultRule, FailureStage } from './verdicts.ts';

const rulesOf = (name: string) => testedPackages[`@ai-sdk/${name}`]?.dialect.defaultRules ?? [];
const ark = arkDialect.defaultRules;
const fal = rulesOf('fal');
const google = rulesOf('google');
const replicate = rulesOf('replicate');
const alibaba = rulesOf('alibaba');
const xai = rulesOf('xai');
const openai = rulesOf('openai');
const preview = previewDialect.defaultRules;

/** Texts as documented or sent by the providers, and their meaning for the customer. */
const table: [string, readonly DefaultRule[], FailureStage, string | null][] = [
  ['InputTextSensitiveContentDetected', ark, 'submit', 'input_rejected'],
  ['InputImageSensitiveContentDetected', ark, 'submit', 'input_rejected'],
  ['InputImageSensitiveContentDetected.PolicyViolation', ark, 'work', 'input_rejected'],
  ['InputImageSensitiveContentDetected.PrivacyInformation', ark, 'submit', 'real_person_rejected'],
  ['InputVideoSensitiveContentDetected.PrivacyInformation', ark, 'work', 'real_person_rejected'],
  ['OutputVideoSensitiveContentDetected', ark, 'work', 'output_rejected'],
  ['OutputAudioSensitiveContentDetected.PolicyViolation', ark, 'work', 'output_rejected'],
  ['SensitiveContentDetected.Violence', ark, 'submit', 'input_rejected'],
  ['InputImageRiskDetection', ark, 'submit', 'input_rejected'],
  ['OutputImageRiskDetection', ark, 'work', 'output_rejected'],
  ['InvalidParameter', ark, 'submit', null],
  ['InternalServiceError', ark, 'work', null],
  ['The input image may contain real person', ark, 'submit', 'real_person_rejected'],
  ['content_policy_violation', fal, 'submit', 'input_rejected'],
  ['content_policy_violation', fal, 'work', 'output_rejected'],
  ['image_too_large', fal, 'work', 'input_invalid'],
  ['runner_disconnected', fal, 'work', null],
  ['1 | Violates our usage guidelines.', google, 'work', 'output_rejected'],
  ['{"finishReason":"IMAGE_SAFETY"}', google, 'work', 'output_rejected'],
  ['{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}', google, 'work', 'output_rejected'],
  ['photorealistic children are not allowed', google, 'submit', 'real_person_rejected'],
  ['The model is overloaded', google, 'submit', null],
  ['flagged as sensitive. Please try again (E005)', replicate, 'work', 'output_rejected'],
  ['NSFW content detected', replicate, 'work', 'output_rejected'],
  ['Prediction was canceled', replicate, 'work', null],
  ['Input data may contain inappropriate content.', alibaba, 'work', 'input_rejected'],
  ['Output data may contain inappropriate content.', alibaba, 'work', 'output_rejected'],
  ['DataInspectionFailed', alibaba, 'submit', 'input_rejected'],
  ['blocked due to a content policy violation', xai, 'work', 'output_rejected'],
  ['moderation_blocked', openai, 'submit', 'input_rejected'],
  ['rejected by our safety system', openai, 'submit', 'input_rejected'],
  ['input_invalid: not a picture', preview, 'submit', 'input_invalid'],
  ['render_failed: out of memory', preview, 'work', null],
  // None of this concerns content.
  ['Unknown parameter: enable_safety_checker', [], 'submit', null],
  ['The policy of your account allows no more', [], 'submit', null],
  ['surface too sensitive to light', [], 'work', null],
];

describe('failureCodeOf', () => {
  test.each(table)('%s', (text, defaultRules, stage, expected) => {
    expect(failureCodeOf(text, stage, { operatorRules: [], defaultRules })).toBe(expected);
  });

  test("the operator's rules precede the defaults, and the first match counts", () => {
    const operatorRules = [
      { match: 'sensitivecontent', code: 'generation_failed' },
      { match: 'Output', code: 'output_rejected' },
    ] as const;
    const text = 'OutputVideoSensitiveContentDetected';
    const code = failureCodeOf(text, 'work', { operatorRules, defaultRules: ark });
    expect(code).toBe('generation_failed');
  });
});
