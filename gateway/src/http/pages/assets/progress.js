/* Progress of unfinished generations, on their own pages and in the studio. */

/** Formats a duration as the server does. */
function formatDuration(seconds) {
  if (seconds < 60) return `${seconds} s`;
  const [count, large, small] =
    seconds < 3600 ? [seconds, 'min', 's'] : [Math.round(seconds / 60), 'h', 'min'];
  const rest = count % 60;
  return `${Math.floor(count / 60)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/**
 * Polls a generation at the server's intervals until it ends.
 * @param part Element with `data-progress` and `data-state`.
 * @param showEnd Called with the state as text; by default reloads the page.
 */
function followProgress(part, showEnd = () => location.reload()) {
  const bar = part.querySelector('progress');
  const words = part.querySelector('.words');
  const elapsed = part.querySelector('.elapsed');
  const usual = part.querySelector('.usual');
  const cancelGeneration = part.querySelector('.cancel');
  const tag = document.getElementById('status');
  let state = JSON.parse(part.dataset.state);
  let since = performance.now();
  let hasEnded = false;
  const put = (element, text) => {
    if (element && element.textContent !== text) element.textContent = text;
  };
  async function poll() {
    const response = await fetch(part.dataset.progress, {
      headers: { accept: 'application/json' },
    });
    if (response.status === 429 || response.status >= 500) {
      const told = Number(response.headers.get('retry-after'));
      if (told > 0) state.retry_after_seconds = told;
      return;
    }
    const fresh = await response.json();
    if (!['queued', 'processing'].includes(fresh.status)) {
      hasEnded = true;
      return showEnd(fresh.status_words);
    }
    state = fresh;
    since = performance.now();
    if (tag) {
      document.title = document.title.replace(tag.textContent, state.status_words);
      put(tag, state.status_words);
    }
    put(words, state.words);
    put(usual, state.about);
    if (cancelGeneration) cancelGeneration.hidden = !state.may_cancel;
  }
  const wait = () =>
    setTimeout(async () => {
      if (hasEnded || part.isConnected === false) return stop();
      await poll().catch(() => {
        hasEnded = false;
        put(words, say('offline'));
      });
      if (hasEnded) stop();
      else wait();
    }, state.retry_after_seconds * 1000);
  // Animates from the current progress estimate to the estimate for the next poll.
  const clock = setInterval(() => {
    const seconds = (performance.now() - since) / 1000;
    const share = Math.min(1, seconds / state.retry_after_seconds);
    put(elapsed, formatDuration(Math.round(state.elapsed_seconds + seconds)));
    bar.value = state.percent + (state.next_percent - state.percent) * share;
  }, 1000);
  const stop = () => clearInterval(clock);
  wait();
}

for (const part of document.querySelectorAll('.card[data-progress]')) followProgress(part);
