'use strict';
/* Common script of the site and the console. Every page works without it. */

/** Ignores a second submission while the next page loads; questions, such as downloads, may be asked again. */
function sendOnce() {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    const method = event.submitter?.formMethod || form.method;
    if (event.defaultPrevented || method === 'get') return;
    if (form.dataset.sent === 'yes') event.preventDefault();
    form.dataset.sent = 'yes';
    form.setAttribute('aria-busy', 'true');
  });
  window.addEventListener('pageshow', () => {
    for (const form of document.forms) {
      delete form.dataset.sent;
      form.removeAttribute('aria-busy');
    }
  });
}

/** Reveals or hides a password with the button beside it. */
function offerReveal() {
  for (const button of document.querySelectorAll('button.reveal')) {
    // The button follows the label that contains the field, so it is not part of the field's name.
    const before = button.previousElementSibling;
    const input = before.querySelector('input') ?? before;
    const show = (isShown) => {
      input.type = isShown ? 'text' : 'password';
      button.setAttribute('aria-pressed', isShown);
    };
    button.addEventListener('click', () => show(input.type === 'password'));
    // Browsers remember text fields, but not password fields.
    input.form?.addEventListener('submit', () => show(false));
  }
}

/** Shows the result of an action for a few seconds, also to screen readers. */
function toast(words) {
  const box = document.createElement('output');
  box.className = 'toast';
  document.body.append(box);
  box.textContent = words;
  setTimeout(() => box.remove(), 4000);
}

/* Texts of the page in its language; pages without a script of the site's have none. */
const texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}');
const { lang } = document.documentElement;
const locale =
  lang === 'en' ? { dates: 'en-GB', numbers: 'en-US' } : { dates: lang, numbers: lang };

/** A text by its name, with its values filled in. */
function say(name, values = {}) {
  return (texts[name] ?? '').replace(/\{(\w+)\}/g, (_place, each) => values[each]);
}

const minuteFormat = new Intl.DateTimeFormat(locale.dates, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const agoFormat = new Intl.RelativeTimeFormat(locale.dates, { style: 'short' });

/** `5 min ago`; the minute itself after a week. */
function agoOf(time) {
  const minutes = Math.round((Date.now() - time) / 60_000);
  if (minutes < 1) return say('justNow');
  if (minutes < 60) return agoFormat.format(-minutes, 'minute');
  if (minutes < 1440) return agoFormat.format(-Math.round(minutes / 60), 'hour');
  if (minutes < 10_080) return agoFormat.format(-Math.round(minutes / 1440), 'day');
  return minuteFormat.format(time);
}

/** Converts times to the reader's time zone, or says how long ago they were. */
function showLocalTimes() {
  for (const element of document.querySelectorAll('time[data-local]')) {
    const time = new Date(element.dateTime);
    const isAgo = element.dataset.local === 'ago';
    element.title = isAgo ? minuteFormat.format(time) : element.textContent;
    element.textContent = isAgo ? agoOf(time) : minuteFormat.format(time);
    if (!isAgo) delete element.dataset.local;
  }
}

sendOnce();
offerReveal();
showLocalTimes();
setInterval(showLocalTimes, 30_000);
