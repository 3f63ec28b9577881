import { sampleHost, samplePictures } from './adapters/net/sampleHost.ts';
import type { Config } from './config.ts';
import type { Trial } from './trial.ts';

/** The welcome of `npm start` in the terminal. */
export function announce(config: Config, url: string | null, tried: Trial | null): string {
  const lines = ['', `Framegate is running (${config.mode}, role ${config.role}).`, ''];
  if (url !== null) {
    lines.push(`  API    ${config.urls.base}`, `  Docs   ${config.urls.account}/docs`);
  }
  if (config.routes === null && config.role !== 'api') {
    lines.push('  Videos and images come from the preview renderer on this machine.');
  }
  if (tried) lines.push('', ...introduce(config, tried.demo), '', ...invite(config, tried.staff));
  lines.push('', 'Stop with Ctrl-C.', '');
  return lines.join('\n') + '\n';
}

function invite(config: Config, { email, enrolmentUrl }: Trial['staff']): string[] {
  const place = `${config.urls.console}/staff`;
  if (enrolmentUrl === null) return [`Staff console: ${place}, as ${email}.`];
  return [
    `Staff console: ${place}. Enrol as ${email} by this link, which works once and for an hour:`,
    '',
    `  ${enrolmentUrl}`,
  ];
}

function introduce(config: Config, demo: Trial['demo']): string[] {
  const key = demo.isNew ? demo.apiKey : `$(cat ${demo.keyFile})`;
  const curl = (name: string, body: object) => [
    `  curl -sS ${config.urls.base}/videos \\`,
    `    -H "Authorization: Bearer ${key}" \\`,
    `    -H "Idempotency-Key: ${name}" -H "Content-Type: application/json" \\`,
    `    -d '${JSON.stringify(body)}'`,
    '',
  ];
  return [
    demo.isNew
      ? `A demo account with ${demo.credits} credits is ready. Its key, shown this once and kept in ${demo.keyFile}:`
      : `The demo account's key is in ${demo.keyFile}.`,
    ...(demo.isNew ? ['', `  ${demo.apiKey}`] : []),
    '',
    `Or make one in the browser: sign in at ${config.urls.account}/sign-in as ${demo.signIn.email}`,
    `with the password from ${demo.signIn.passwordFile}`,
    '',
    'Make a video from text:',
    '',
    ...curl('first-video', {
      model: 'alpha-2.0-fast',
      mode: 'text-to-video',
      prompt: 'A paper boat sails across a sea of ink at sunrise',
    }),
    'Make a video from a sample picture:',
    '',
    ...curl('second-video', {
      model: 'alpha-2.0-fast',
      mode: 'image-to-video',
      prompt: 'The camera drifts slowly over the water',
      inputs: [{ type: 'image', url: `https://${sampleHost}/${samplePictures[0]}` }],
    }),
    'Each answers with a status_url. Ask there until the video is completed, then open its video_url:',
    '',
    `  curl -sS -H "Authorization: Bearer ${key}" STATUS_URL`,
  ];
}
