/* The history: the number selected, clips in place of their pictures, and two videos that play together. */

/** Shows the number selected. */
function countSelected(words) {
  const show = () => {
    const all = document.querySelector('.all :checked');
    const count = Number(all?.dataset.count ?? document.querySelectorAll('.wall :checked').length);
    words.textContent = count === 0 ? '' : say('selected', { count });
  };
  document.addEventListener('change', show);
  // Browsers restore the selection.
  window.addEventListener('pageshow', show);
}

/** Plays one clip of the wall, silently: under the pointer, with the focus, or touched last. */
function playClips(wall) {
  const video = document.createElement('video');
  Object.assign(video, { autoplay: true, loop: true, muted: true, playsInline: true });
  let item;
  function play(node) {
    const next = node?.closest('.wall > li');
    if (next === item) return;
    item = next;
    video.remove();
    const thumb = item?.querySelector('[data-clip]');
    if (!thumb) return;
    video.poster = thumb.firstElementChild.src ?? '';
    video.src = thumb.dataset.clip;
    thumb.prepend(video);
  }
  wall.addEventListener('pointerover', ({ target }) => play(target));
  wall.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && play());
  wall.addEventListener('focusin', ({ target }) => play(target));
  wall.addEventListener('focusout', ({ relatedTarget }) => play(relatedTarget));
}

/** Plays the two videos of a comparison together, with one button and one position. */
function playTogether(part) {
  const videos = [...document.querySelectorAll('.sides video')];
  if (videos.length !== 2) return;
  const [button, position] = part.querySelectorAll('button, input');
  part.hidden = false;
  const [first, second] = videos;
  second.muted = true;
  for (const video of videos) {
    video.loop = true;
    video.preload = 'auto';
  }
  button.addEventListener('click', () => {
    if (!first.paused) return videos.forEach((video) => video.pause());
    second.currentTime = first.currentTime;
    for (const video of videos) video.play().catch(() => undefined);
  });
  for (const type of ['play', 'pause']) {
    first.addEventListener(type, () => {
      button.setAttribute('aria-pressed', !first.paused);
      button.textContent = say(first.paused ? 'playBoth' : 'pauseBoth');
    });
  }
  position.addEventListener('input', () => {
    const share = position.value / position.max;
    for (const video of videos) {
      if (video.duration) video.currentTime = share * video.duration;
    }
  });
  first.addEventListener('timeupdate', () => {
    if (first.duration) position.value = (first.currentTime / first.duration) * position.max;
    // Two players drift; a tenth of a second is visible.
    const isApart = Math.abs(first.currentTime - second.currentTime) > 0.1;
    if (isApart && !first.paused && first.currentTime < second.duration) {
      second.currentTime = first.currentTime;
    }
  });
}

const selectedWords = document.getElementById('selected');
if (selectedWords) countSelected(selectedWords);
const wall = document.querySelector('.wall');
if (wall && !isCalm) playClips(wall);
const together = document.querySelector('.together');
if (together) playTogether(together);
