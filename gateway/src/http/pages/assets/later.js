/* Parts of the studio's script that are loaded when they are first needed. */

/** `fetch` for a form with files, which shows how much has arrived. */
export function upload(url, { method, body, signal }) {
  const box = toast(say('fileComing'));
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => {
      // A large file takes longer than a toast stays.
      if (!box.isConnected) document.body.append(box);
      box.textContent = say('fileArrived', { percent: Math.floor((loaded / total) * 20) * 5 });
    };
    request.onload = () => resolve(new Response(request.response));
    request.onerror = reject;
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort());
    request.open(method, url);
    request.send(body);
  }).finally(() => box.remove());
}

/** Puts a dropped file into the input below the pointer, or else the first one. */
export function drop(form, target, file) {
  const input =
    target.closest('.slot, .drop')?.querySelector('[type=file]') ??
    form.querySelector('.inputs [type=file]');
  if (!input) return toast(say('noPictures'));
  const one = new DataTransfer();
  one.items.add(file);
  input.files = one.files;
  input.focus();
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Takes a request back. @returns The response's sentence. */
export async function cancel(form) {
  const body = new URLSearchParams(new FormData(form));
  const response = await fetch(form.action, { method: 'POST', body });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  return page.querySelector('main > .notice')?.textContent ?? say('tryAgain');
}

/* The dialog that shows the parts of a set full screen: arrows lead to the others, F is the heart, X asks to delete. */
const viewer = document.getElementById('viewer');
const stage = viewer.firstElementChild;
const [remove, keep, details] = viewer.querySelectorAll('a');
const at = viewer.querySelector('output');
const next = viewer.querySelector('[value="1"]');
/* Keeps the place of the part that is shown. */
const place = document.createElement('li');

const link = (ids) => `/history/delete?back=/studio&id=${ids.join('&id=')}`;

/** Puts the part that is shown back into its set. */
function putBack() {
  const shot = stage.firstElementChild;
  setPlaying(false);
  if (shot) place.replaceWith(shot);
  return shot;
}
function setPlaying(isPlaying) {
  for (const video of stage.querySelectorAll('video')) {
    video.controls = isPlaying;
    if (isPlaying) video.play().catch(() => undefined);
    else video.pause();
  }
}
function show(shot) {
  putBack();
  shot.replaceWith(place);
  stage.append(shot);
  const all = [...place.parentElement.children];
  remove.href = link([shot.id]);
  keep.href = link(all.filter((each) => each !== place).map(({ id }) => id));
  details.href = `/generations/${shot.id}`;
  at.textContent = `${all.indexOf(place) + 1} / ${all.length}`;
  for (const image of stage.querySelectorAll('img')) image.sizes = '100vw';
  setPlaying(true);
  // Keys are heard from within only: the focus may have left with the part that was shown.
  if (!viewer.contains(document.activeElement)) next.focus();
}
function step(by) {
  const all = [...place.parentElement.children];
  if (all.length > 1) show(all.at((all.indexOf(place) + by) % all.length));
}

viewer.addEventListener('click', ({ target }) => {
  const { type, value } = target;
  if (type === 'button' && value !== '0') step(Number(value));
  // Anything taken into the composer is visible there.
  else if (type === 'button' || target.closest('[data-reload]')) viewer.close();
});
viewer.addEventListener('close', () => putBack()?.querySelector('.open').focus());
viewer.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey } = event;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (by) {
    event.preventDefault();
    step(by);
  } else if (!ctrlKey && !metaKey) {
    if (key.toLowerCase() === 'x') remove.click();
    if (key.toLowerCase() === 'f') stage.querySelector('.heart')?.click();
  }
});

/** Opens the dialog. @param shot A part of a set. */
export function view(shot) {
  viewer.showModal();
  next.focus();
  show(shot);
}
