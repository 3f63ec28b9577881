'use strict';
/* Script of the account site. Without it, every page works except live progress. */

/** Shows the result of an action for a few seconds, also to screen readers. */
function toast(words) {
  const box = document.createElement('output');
  box.className = 'toast';
  (document.querySelector('dialog[open]') ?? document.body).append(box);
  box.textContent = words;
  setTimeout(() => box.remove(), 4000);
  return box;
}

/* Texts of the page in its language. */
const texts = JSON.parse(document.getElementById('texts').textContent);
const { lang } = document.documentElement;
const dates = lang === 'en' ? 'en-GB' : lang;

/** A text by its name, with its values filled in. */
const say = (name, values) => texts[name].replace(/\{(\w+)\}/g, (_place, each) => values[each]);

const minuteFormat = new Intl.DateTimeFormat(dates, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const agoFormat = new Intl.RelativeTimeFormat(dates, { style: 'short' });

/** `5 min ago`; the minute itself after a week. */
function agoOf(time) {
  const minutes = Math.round((Date.now() - time) / 60_000);
  if (minutes < 1) return say('justNow');
  if (minutes < 60) return agoFormat.format(-minutes, 'minute');
  if (minutes < 1440) return agoFormat.format(-Math.round(minutes / 60), 'hour');
  if (minutes < 10_080) return agoFormat.format(-Math.round(minutes / 1440), 'day');
  return minuteFormat.format(time);
}

/** Converts times to the reader's time zone, or to how long ago they were. */
function showLocalTimes() {
  for (const element of document.querySelectorAll('time[data-local]')) {
    const time = new Date(element.dateTime);
    const isAgo = element.dataset.local === 'ago';
    element.title = isAgo ? minuteFormat.format(time) : element.textContent;
    element.textContent = isAgo ? agoOf(time) : minuteFormat.format(time);
    if (!isAgo) delete element.dataset.local;
  }
}

/** Shows the copy buttons, which copy an element's value or text. */
function offerCopying() {
  for (const button of document.querySelectorAll('[data-copy]')) {
    const source = document.getElementById(button.dataset.copy);
    if (!source || !navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
      toast(say('copied'));
    });
  }
}

/** Changes favourites in place. */
function followHearts() {
  async function change(event) {
    const { target: form, submitter: heart } = event;
    // Not `form.id`, which its buttons' name shadows.
    if (!form.matches('#hearts') || form.dataset.plain) return;
    event.preventDefault();
    const path = heart.getAttribute('formaction') ?? form.action;
    const body = new URLSearchParams(new FormData(form, heart));
    const sent = fetch(path, { method: 'POST', body, redirect: 'manual' });
    if ((await sent.catch(() => null))?.type !== 'opaqueredirect') {
      form.dataset.plain = 'yes';
      return form.requestSubmit(heart);
    }
    const isOne = heart.ariaPressed === 'false';
    heart.ariaPressed = isOne;
    if (isOne) heart.setAttribute('formaction', path.replace('yes', 'no'));
    else heart.removeAttribute('formaction');
    toast(say(isOne ? 'added' : 'removed'));
  }
  // Before the common script, which would treat the form as sent.
  document.addEventListener('submit', change, true);
}

const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Stops automatic playback for people who want less motion. */
function calm() {
  for (const video of isCalm ? document.querySelectorAll('video[autoplay]') : []) {
    video.autoplay = false;
    video.pause();
  }
}

document.documentElement.classList.add('scripted');
calm();
offerCopying();
followHearts();
showLocalTimes();
setInterval(showLocalTimes, 30_000);
