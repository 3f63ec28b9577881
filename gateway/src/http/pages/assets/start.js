/* The start page: clips play silently while pointed at, focused or, without a pointer, in view. */

const isStill = matchMedia('(prefers-reduced-motion: reduce)');
const hasPointer = matchMedia('(hover: hover)').matches;

function follow(video) {
  const play = () => {
    if (!isStill.matches) video.play().catch(() => undefined);
  };
  const rest = () => video.pause();
  // Visitors who prefer no motion keep the play button.
  const settle = () => (video.controls = isStill.matches);
  isStill.addEventListener('change', () => {
    rest();
    settle();
  });
  settle();
  video.tabIndex = 0;
  if (hasPointer) {
    video.addEventListener('pointerenter', play);
    video.addEventListener('pointerleave', rest);
  } else {
    const watch = ([{ isIntersecting }]) => (isIntersecting ? play() : rest());
    new IntersectionObserver(watch, { threshold: 0.6 }).observe(video);
  }
  video.addEventListener('focus', play);
  video.addEventListener('blur', rest);
}

for (const video of document.querySelectorAll('.showcase video')) follow(video);
