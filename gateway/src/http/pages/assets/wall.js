/* The history: the number selected, older results, clips in place of their pictures, and videos that play together. */

/** Shows the number selected. */
function countSelected(words) {
  const show = () => {
    const all = document.querySelector('.all :checked');
    const count = Number(all?.dataset.count ?? document.querySelectorAll('.wall :checked').length);
    words.textContent = count === 0 ? '' : say('selected', { count });
  };
  document.addEventListener('change', ({ target }) => {
    const max = Number(wall.dataset.max);
    if (target.closest('.wall') && wall.querySelectorAll(':checked').length > max) {
      target.checked = false;
      toast(say('mostSelected', { max }));
    }
    show();
  });
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

/** Adds older results as the end of the wall comes near; the link to them stays for when that fails. */
function growAtEnd(wall, link) {
  const observer = new IntersectionObserver(
    async ([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      observer.disconnect();
      const response = await fetch(link.href).catch(() => undefined);
      if (!response?.ok || response.redirected) return;
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      wall.append(...page.querySelectorAll('.wall > li'));
      const next = page.querySelector('[rel="next"]');
      if (!next) return link.remove();
      link.setAttribute('href', next.getAttribute('href'));
      observer.observe(link);
    },
    { rootMargin: '0px 0px 100%' },
  );
  observer.observe(link);
}

/** Plays the videos of a comparison together, with one button and one position. */
function playTogether(part) {
  const videos = [...document.querySelectorAll('.sides video')];
  const [first, ...others] = videos;
  const [button, position] = part.querySelectorAll('button, input');
  for (const video of videos) Object.assign(video, { loop: true, preload: 'auto' });
  for (const video of others) video.muted = true;
  button.addEventListener('click', () => {
    if (!first.paused) return videos.forEach((video) => video.pause());
    for (const video of videos) {
      video.currentTime = first.currentTime;
      video.play().catch(() => undefined);
    }
  });
  for (const type of ['play', 'pause']) {
    first.addEventListener(type, () => {
      button.ariaPressed = !first.paused;
      button.textContent = say(first.paused ? 'playAll' : 'pauseAll');
    });
  }
  position.addEventListener('input', () => {
    const share = position.value / position.max;
    for (const video of videos) video.currentTime = share * video.duration || 0;
  });
  first.addEventListener('timeupdate', () => {
    const { currentTime: now, duration, paused } = first;
    position.value = (now / duration) * position.max || 0;
    for (const video of others) {
      // Players drift; a tenth of a second is visible.
      const isApart = Math.abs(now - video.currentTime) > 0.1;
      if (isApart && !paused && now < video.duration) video.currentTime = now;
    }
  });
}

const wall = document.querySelector('.wall');
const selectedWords = document.getElementById('selected');
if (wall && selectedWords) countSelected(selectedWords);
if (wall && !isCalm) playClips(wall);
const older = document.querySelector('[rel="next"]');
if (wall && older) growAtEnd(wall, older);
const together = document.querySelector('.together');
if (together) playTogether(together);
