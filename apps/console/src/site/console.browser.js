// @ts-check
// Makes the pages of the console quicker to use. They work without it.

/** The path of the console, with the prefix of a gateway. */
const BASE = new URL('..', import.meta.url).pathname.replace(/\/$/, '');
/** Parts are refreshed for people, not for screens that were left alone, whose sessions are to end. */
const ATTENTION_MS = 10 * 60_000;
const REFRESH_SECONDS_MIN = 5;
const SEARCH_PAUSE_MS = 250;
const PREVIEW_PAUSE_MS = 700;
const COPIED_MS = 2_000;

keepTimeZone();
copyOnClick();
refreshParts();
previewWhileTyping();
openPalette();

/** Times are written by the server, so that no text changes after it is shown. */
function keepTimeZone() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `gatehouse_zone=${timeZone}; path=${BASE}; max-age=31536000; samesite=lax${secure}`;
}

/** Browsers let pages copy only on https and on this machine. */
function copyOnClick() {
  if (!navigator.clipboard) return;
  document.documentElement.classList.add('copies');
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button[data-copy]') : null;
    if (button instanceof HTMLButtonElement) void copy(button);
  });
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  const { textContent: label, dataset } = button;
  await navigator.clipboard.writeText(dataset.copy ?? '');
  if (label === dataset.copied) return;
  button.textContent = dataset.copied ?? label;
  setTimeout(() => (button.textContent = label), COPIED_MS);
}

/** Fetches elements with `data-live="seconds"` and an id again, unless somebody is at work in them. */
function refreshParts() {
  let attention = performance.now();
  for (const type of ['pointerdown', 'keydown', 'wheel']) {
    addEventListener(type, () => (attention = performance.now()), { capture: true, passive: true });
  }
  const live = [...document.querySelectorAll('[data-live][id]')];
  for (const period of new Set(live.map((part) => part.getAttribute('data-live')))) {
    const seconds = Math.max(REFRESH_SECONDS_MIN, Number(period) || 0);
    const parts = live.filter((part) => part.getAttribute('data-live') === period);
    setInterval(async () => {
      if (document.hidden || performance.now() - attention > ATTENTION_MS) return;
      const page = await pageAt(location.href);
      for (const part of parts) refresh(part, page?.getElementById(part.id));
    }, seconds * 1_000);
  }
}

/**
 * @param {Element} part
 * @param {Element | null | undefined} fresh
 */
function refresh(part, fresh) {
  const isInUse = part.contains(document.activeElement) || isSelected(part);
  if (!fresh || isInUse || fresh.textContent === part.textContent) return;
  const open = [...part.querySelectorAll('details')].map((details) => details.open);
  part.replaceChildren(...fresh.childNodes);
  part.querySelectorAll('details').forEach((details, index) => (details.open = !!open[index]));
}

/** @param {Element} part */
function isSelected(part) {
  const selection = getSelection();
  return !!selection && !selection.isCollapsed && selection.containsNode(part, true);
}

/** A text area with `data-preview` fills the element of that id from the answer to its form. */
function previewWhileTyping() {
  for (const area of document.querySelectorAll('textarea')) {
    const { form, dataset } = area;
    const shown = document.getElementById(dataset.preview ?? '');
    if (!form || !shown) continue;
    afterTyping(area, PREVIEW_PAUSE_MS, async (signal) => {
      const body = new URLSearchParams();
      for (const [name, value] of new FormData(form)) {
        if (typeof value === 'string') body.append(name, value);
      }
      body.set('preview', 'yes');
      const page = await pageAt(form.action, { method: 'POST', body, signal });
      const fresh = page?.getElementById(shown.id);
      if (fresh) shown.replaceChildren(...fresh.childNodes);
    });
  }
}

/** Ctrl-K and `/` open the search over any page. */
function openPalette() {
  const field = document.querySelector('input[data-palette]');
  if (!(field instanceof HTMLInputElement) || !field.form) return;
  const { form } = field;
  /** @type {HTMLDialogElement | undefined} */
  let palette;
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    const isChord = key === 'k' && (ctrlKey || metaKey) && !altKey;
    const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isWriting(target);
    if ((!isChord && !isSlash) || palette?.open) return;
    event.preventDefault();
    palette ??= paletteOf(form);
    palette.showModal();
    palette.querySelector('input')?.select();
  });
}

/**
 * @param {HTMLFormElement} form the search of the page
 * @returns {HTMLDialogElement}
 */
function paletteOf(form) {
  const palette = document.createElement('dialog');
  const results = document.createElement('div');
  palette.className = 'palette console';
  palette.append(form.cloneNode(true), results);
  results.setAttribute('aria-live', 'polite');
  const input = /** @type {HTMLInputElement} */ (palette.querySelector('input'));
  input.value = '';
  palette.setAttribute('aria-label', input.getAttribute('aria-label') ?? '');
  afterTyping(input, SEARCH_PAUSE_MS, async (signal) => {
    const query = new URLSearchParams({ q: input.value, list: 'yes' });
    const page = await pageAt(`${BASE}/search?${query}`, { signal });
    const hits = page?.getElementById('hits');
    if (hits) results.replaceChildren(...hits.childNodes);
  });
  palette.addEventListener('keydown', (event) => {
    // Browsers would only empty the field.
    if (event.key === 'Escape') palette.close();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops = [input, ...results.querySelectorAll('a')];
    const now = stops.findIndex((stop) => stop === document.activeElement);
    stops[(now + step + stops.length) % stops.length]?.focus();
  });
  palette.addEventListener('click', ({ target }) => {
    if (target === palette) palette.close();
  });
  document.body.append(palette);
  return palette;
}

/** @param {EventTarget | null} target */
function isWriting(target) {
  return target instanceof Element && target.matches('input, textarea, select');
}

/**
 * Calls back when a person pauses. The next key aborts the call.
 *
 * @param {HTMLElement} field
 * @param {number} pauseMs
 * @param {(signal: AbortSignal) => Promise<void>} work
 */
function afterTyping(field, pauseMs, work) {
  let timer = 0;
  let current = new AbortController();
  field.addEventListener('input', () => {
    clearTimeout(timer);
    current.abort();
    current = new AbortController();
    const { signal } = current;
    timer = window.setTimeout(() => work(signal), pauseMs);
  });
}

/**
 * A page of the console; undefined if it cannot be had now.
 *
 * @param {string} address
 * @param {RequestInit} [options]
 */
async function pageAt(address, options) {
  try {
    const response = await fetch(address, options);
    return new DOMParser().parseFromString(await response.text(), 'text/html');
  } catch {
    return undefined;
  }
}
