/* The feed of the studio: requests appear and end in place. */

/** Maximum requests in the feed. */
const maxRequests = 60;

/** Follows the unfinished requests of the feed, and plays its videos under the pointer. */
function followFeed() {
  const feed = document.getElementById('feed');

  function follow(request) {
    showLocalTimes();
    for (const part of [request, ...request.querySelectorAll('.shot')]) {
      if (part.dataset.progress) followProgress(part, (words) => showEnd(part, words));
    }
  }
  /** Replaces only the request, or the part of a set, that has ended. @param words How it ended. */
  async function showEnd({ id }, words) {
    const page = await studioIn(await fetch(`/studio?generation=${id}`));
    const [fresh, old] = [page?.getElementById(id), document.getElementById(id)];
    if (fresh?.matches('.shot') !== old.matches('.shot')) return location.reload();
    old.closest('.set')?.lastElementChild.replaceWith(fresh.closest('.set').lastElementChild);
    old.replaceWith(fresh);
    showBalance(page);
    document.title = page.title;
    follow(fresh);
    toast(words);
  }
  function add(request) {
    document.getElementById(request.id)?.remove();
    document.getElementById('empty')?.remove();
    feed.prepend(request);
    while (feed.children.length > maxRequests) feed.lastElementChild.remove();
    request.scrollIntoView({ block: 'nearest' });
    follow(request);
  }
  for (const type of isCalm ? [] : ['pointerover', 'pointerout']) {
    feed.addEventListener(type, ({ target: over, pointerType }) => {
      const target = over.matches('.open') ? over.previousElementSibling : over;
      if (target.tagName !== 'VIDEO' || pointerType !== 'mouse') return;
      if (type === 'pointerout' && target.dataset.hovered) target.pause();
      if (type === 'pointerover' && target.paused) {
        Object.assign(target, { muted: true });
        target.dataset.hovered = 'yes';
        target.play().catch(() => undefined);
      }
    });
  }
  // A click on a video playing under the pointer keeps it playing, with sound.
  feed.addEventListener('click', (event) => {
    if (event.target.tagName !== 'VIDEO' || !event.target.dataset.hovered) return;
    event.preventDefault();
    delete event.target.dataset.hovered;
    event.target.muted = false;
  });
  // Shows a part of a set full screen.
  feed.addEventListener('click', async (event) => {
    if (!event.target.matches('.open')) return;
    event.preventDefault();
    (await import('./later.js')).view(event.target.closest('.shot'));
  });
  // Takes a request back in place.
  feed.addEventListener('submit', async (event) => {
    const form = event.target;
    if (!form.matches('.cancel')) return;
    event.preventDefault();
    await showEnd(form.closest('.request'), await (await import('./later.js')).cancel(form));
  });
  for (const request of feed.children) follow(request);
  return add;
}

function showBalance(page) {
  const fresh = page.querySelector('.balance');
  if (fresh) document.querySelector('.balance').replaceWith(fresh);
}

/** Sends forms that create something, and puts the new request at the top of the feed. */
function createInPlace(form, { showPrice }, add) {
  /** @param fields The form's fields. @param button Submits the form normally if the response is not the studio. */
  async function create(sender, button) {
    if (sender.getAttribute('aria-busy')) return;
    sender.setAttribute('aria-busy', 'true');
    const fields = new FormData(sender, button);
    const body = sender === form ? fields : new URLSearchParams(fields);
    try {
      const response = await fetch(sender.action, { method: 'POST', body });
      const page = await studioIn(response);
      const made = new URL(response.url).searchParams.get('generation');
      const request = page?.getElementById(made)?.closest('.request');
      if (request) show(page, request, made);
      else if (page && sender === form) refuse(page);
      else leave(sender, button);
    } catch {
      toast(say('noConnection'));
    } finally {
      sender.removeAttribute('aria-busy');
    }
  }
  function show(page, request, made) {
    const fresh = page.getElementById('studio').elements;
    form.elements.form_key.value = fresh.form_key.value;
    document.getElementById('price').dataset.price = page.getElementById('price').dataset.price;
    if (document.getElementById('problems')) {
      const ids = ['notes', 'prompt', 'chips'];
      replaceParts(form, page, ids, new Map());
    }
    document.getElementById('notes').replaceChildren();
    showBalance(page);
    showPrice();
    history.replaceState(null, '', `/studio?generation=${made}`);
    add(request);
    toast(say('onItsWay', { prompt: request.querySelector('.said').textContent.slice(0, 60) }));
  }
  function refuse(page) {
    replaceParts(form, page, ['notes', 'prompt', 'chips', 'code'], null);
    showPrice();
    document.getElementById('problems')?.focus();
  }
  /** Submits normally: a page loads. */
  function leave(sender, button) {
    sender.dataset.plain = 'yes';
    sender.removeAttribute('aria-busy');
    sender.requestSubmit(button);
  }
  // Before the common script, which would treat the form as sent.
  document.addEventListener(
    'submit',
    (event) => {
      const { target: sender, submitter } = event;
      const isOurs = sender === form || sender.matches('.again');
      // A list has a page that confirms all its lines at once.
      const isList =
        sender === form && submitter?.value === 'create' && form.elements.times.value === 'lines';
      if (!isOurs || sender.dataset.plain || isList) return;
      event.preventDefault();
      if (sender === form && submitter?.value !== 'create') return;
      create(sender, submitter);
    },
    true,
  );
  // The second click of a double click orders nothing.
  document.addEventListener('click', (event) => {
    const button = event.target.closest('#create, .again button');
    if (button && event.detail > 1) event.preventDefault();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const button = document.getElementById('create');
    if (!button.hidden) form.requestSubmit(button);
  });
}

const studioForm = document.getElementById('studio');
if (studioForm) {
  createInPlace(studioForm, followChoices(studioForm), followFeed());
  closePanels(studioForm);
}
