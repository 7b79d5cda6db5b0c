// Elements made in one line each, and what a page keeps for itself.

function make(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => make(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) =>
  make(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

/** Says something to those who listen rather than look. */
export function say(text) {
  document.getElementById('say').textContent = text;
}

let fading;
/** Shows a message for a while. */
export function toast(text) {
  const box = document.getElementById('toast');
  box.textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => { box.textContent = ''; }, 5000);
}

/** What was chosen on this page before. */
export function kept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`tesuji-${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keeps a choice, where the browser lets us. */
export function keep(name, value) {
  try {
    localStorage.setItem(`tesuji-${name}`, JSON.stringify(value));
  } catch { /* It is forgotten with the page. */ }
}

/** Two colours' words. */
export const colorName = (letter) => (letter === 'b' ? 'Black' : 'White');
/** To a tenth; of the whole there are no tenths. */
export const percent = (share) => `${(100 * share).toFixed(1).replace('100.0', '100')}%`;
export const plural = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`;

export function count(number) {
  if (number < 10000) return String(number);
  return number < 1e6 ? `${(number / 1000).toFixed(number < 1e5 ? 1 : 0)}k` : `${(number / 1e6).toFixed(1)}M`;
}

/** The same by its first two digits, for what changes all the time. */
export function about(number) {
  if (number < 100) return String(number);
  const unit = 10 ** (Math.floor(Math.log10(number)) - 1);
  const rounded = unit * Math.round(number / unit);
  if (rounded < 1000) return String(rounded);
  if (rounded < 1e6) return `${rounded < 1e4 ? (rounded / 1000).toFixed(1) : rounded / 1000}k`;
  return `${(rounded / 1e6).toFixed(1)}M`;
}
