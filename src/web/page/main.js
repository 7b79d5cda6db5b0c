// Which page is shown: the list of games, a game, or a match; and what all pages have.

import { connect, listen } from './link.js';
import { keep, kept, toast } from './dom.js';
import { Home } from './home.js';
import { takeIn } from './games.js';
import { GameView } from './game.js';
import { WatchView } from './watch.js';

const main = document.getElementById('main');
let view;
let games;

function route() {
  const [, page, id] = location.hash.split('/');
  view?.leave();
  view = undefined;
  if (page === 'game' && id) view = new GameView(main, id, games);
  else if (page === 'watch') view = new WatchView(main, games, id && decodeURIComponent(id));
  else view = new Home(main, games);
  document.title = view.title;
  performance.mark('ready');
}

listen((message) => {
  if (message.type === 'games') {
    const first = !games;
    // Another program answers here now, or another version, whose page this is not.
    if (!first && (message.title !== games.title || message.version !== games.version)) return location.reload();
    games = message;
    takeIn(games);
    document.getElementById('title').textContent = `Tesuji ${games.title === 'Go' ? '' : games.title}`.trim();
    document.getElementById('watch-link').hidden = games.matches.length === 0;
    if (first) route();
    else view?.games?.(games);
  } else if (message.type === 'lost') {
    document.getElementById('connection').textContent = 'Not connected';
  } else if (message.type === 'connected') {
    document.getElementById('connection').textContent = '';
    if (games) route();
  } else {
    view?.told?.(message);
  }
});

// Light and dark: as the system has it, until it is chosen.
const themes = ['auto', 'light', 'dark'];
function theme() {
  const chosen = kept('theme', 'auto');
  for (const name of ['light', 'dark']) document.documentElement.classList.toggle(name, chosen === name);
  const button = document.getElementById('theme');
  button.textContent = { auto: '◐', light: '☀', dark: '☾' }[chosen];
  button.title = { auto: 'Light or dark as the system has it', light: 'Light', dark: 'Dark' }[chosen];
}
document.getElementById('theme').addEventListener('click', () => {
  keep('theme', themes[(themes.indexOf(kept('theme', 'auto')) + 1) % 3]);
  theme();
});
theme();

/** The files with several games that this page has loaded, by the game that was taken from them. */
export const collections = new Map();

/** The largest record that the program takes, in bytes. */
const MAX_RECORD = 4 * 2 ** 20;

// A record dropped anywhere begins a game.
export async function loadRecord(file, number = 1) {
  try {
    // A browser does not hear the answer of a server that takes no more.
    if (file.size > MAX_RECORD) throw new Error('the file is too large');
    const answer = await fetch(`/games?game=${number}`, { method: 'POST', body: file });
    const text = await answer.text();
    if (!answer.ok) throw new Error(answer.status === 413 ? 'the file is too large' : text);
    const { game, games } = JSON.parse(text);
    if (games > 1) collections.set(game, { file, number, games });
    location.hash = `#/game/${game}`;
  } catch (why) {
    toast(`${file.name ?? 'The record'}: ${why.message}`);
  }
}
addEventListener('dragover', (event) => {
  if (!event.dataTransfer.types.includes('Files')) return;
  event.preventDefault();
  document.body.classList.add('dropping');
});
for (const end of ['dragleave', 'drop']) {
  addEventListener(end, () => document.body.classList.remove('dropping'));
}
addEventListener('drop', (event) => {
  const file = event.dataTransfer.files[0];
  if (!file) return;
  event.preventDefault();
  loadRecord(file);
});
addEventListener('paste', (event) => {
  const text = event.clipboardData.getData('text');
  if (event.target.closest?.('input, textarea, select') || !text.trim()) return;
  // Whether it is a record the program says.
  loadRecord(new Blob([text]));
});

addEventListener('hashchange', () => games && route());
addEventListener('keydown', (event) => {
  const isTyping = event.target.matches('input, textarea, select');
  if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) view?.key?.(event);
});
connect();
