import { sampleHost, samplePictures } from './adapters/net/sampleHost.ts';
import type { Config } from './config.ts';
import { quoteForShell } from './domain/text/quoteForShell.ts';
import type { Trial } from './trial.ts';

/** The welcome of `npm start` at a terminal. */
export function announce(config: Config, url: string | null, trial: Trial | null): string {
  const lines = ['', `Framegate is running (${config.mode}, role ${config.role}).`, ''];
  if (url !== null) {
    lines.push(`  API    ${config.urls.base}`, `  Docs   ${config.urls.account}/docs`);
  }
  if (trial) lines.push(`  Studio ${config.urls.account}/studio`);
  if (config.routes === null && config.role !== 'api') {
    lines.push('  Videos and images come from the preview renderer on this machine.');
  }
  if (trial) lines.push('', ...introduce(config, trial.demo), '', ...invite(config, trial.staff));
  lines.push('', 'Stop with Ctrl-C.', '');
  return `${lines.join('\n')}\n`;
}

function invite(config: Config, { email, enrolmentUrl }: Trial['staff']): string[] {
  const place = `${config.urls.console}/staff`;
  if (enrolmentUrl === null) return [`Staff console: ${place}, as ${email}.`];
  return [
    `Staff console: ${place}. Enrol as ${email} with this link, which works once, within an hour:`,
    '',
    `  ${enrolmentUrl}`,
  ];
}

function introduce(config: Config, demo: Trial['demo']): string[] {
  const key = demo.isNew ? demo.apiKey : `$(cat ${quoteForShell(demo.keyFile)})`;
  const curl = (order: string, body: object) => [
    `  curl -sS ${quoteForShell(`${config.urls.base}/videos`)} \\`,
    `    -H "Authorization: Bearer ${key}" \\`,
    // A fixed key would make the second video an error.
    `    -H "Idempotency-Key: ${order}-$(date +%s)" -H "Content-Type: application/json" \\`,
    `    -d ${quoteForShell(JSON.stringify(body))}`,
    '',
  ];
  return [
    `To create a video in the browser, open the studio and sign in as ${demo.signIn.email}`,
    `with the password from ${demo.signIn.passwordFile}`,
    '',
    demo.isNew
      ? `The demo account has ${demo.credits} credits. Its API key, shown only this once and stored in ${demo.keyFile}:`
      : `The demo account's key is in ${demo.keyFile}.`,
    ...(demo.isNew ? ['', `  ${demo.apiKey}`] : []),
    '',
    'Create a video from text:',
    '',
    ...curl('from-text', {
      model: 'alpha-2.0-fast',
      mode: 'text-to-video',
      prompt: 'A paper boat sails across a sea of ink at sunrise',
    }),
    'Create a video from a sample image:',
    '',
    ...curl('from-picture', {
      model: 'alpha-2.0-fast',
      mode: 'image-to-video',
      prompt: 'The camera drifts slowly over the water',
      inputs: [{ type: 'image', url: `https://${sampleHost}/${samplePictures[0]}` }],
    }),
    'Each response has a status_url. Poll it until the video is completed, then open its video_url:',
    '',
    `  curl -sS -H "Authorization: Bearer ${key}" STATUS_URL`,
  ];
}
