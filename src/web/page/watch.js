// Matches that are going on or are over: the table, the games, and each of them to be replayed.

import { ask } from './link.js';
import { h, toast, percent, plural } from './dom.js';
import { resultWords } from './words.js';

const EVERY = 2000;

export class WatchView {
  constructor(main, { matches }, name) {
    this.title = 'Watch – Tesuji';
    this.name = name ?? matches[0];
    this.box = h('div', {});
    main.replaceChildren(...[h('h1', {}, 'Matches'),
      h('p', { class: 'row' }, matches.map((one) => h('a', { class: 'button', href: `#/watch/${encodeURIComponent(one)}`, 'aria-current': one === this.name ? 'page' : null }, one))),
      matches.length === 0 && h('p', { class: 'soft' }, 'Start the program with --watch FOLDER to watch a match.'), this.box].filter(Boolean));
    if (this.name) this.refresh();
  }

  async refresh() {
    try {
      const match = await ask('match', { name: this.name });
      if (this.left) return;
      const text = JSON.stringify(match);
      // What is being read is not drawn anew without need.
      if (text !== this.before) this.draw(match);
      this.before = text;
    } catch (why) {
      this.box.replaceChildren(h('p', {}, why.message));
    }
    if (this.left) return;
    this.timer = setTimeout(() => this.refresh(), EVERY);
  }

  draw(match) {
    const table = match.table && h('div', { class: 'wide card' }, h('table', {},
      h('thead', {}, h('tr', {}, h('th', { class: 'l' }, 'Player'), ...['Games', 'Won', 'Lost', 'Drawn', 'Score', 'Elo', 'from', 'to'].map((name) => h('th', {}, name)))),
      h('tbody', {}, match.table.map((row) => h('tr', {}, h('td', { class: 'l' }, row.name), h('td', {}, row.games), h('td', {}, row.wins), h('td', {}, row.losses), h('td', {}, row.draws),
        h('td', {}, percent(row.score)), row.elo.map((value) => h('td', {}, value)))))));
    const replay = (number, label) => h('button', { type: 'button', onclick: () => this.replay(number) }, label);
    const played = match.scheduled ? `${match.played} of ${plural(match.scheduled, 'game')} played` : `${plural(match.played, 'game')} played`;
    this.box.replaceChildren(...[
      h('h2', {}, match.title || match.name), h('p', { class: 'soft' }, [match.game, played, match.faults && `${match.faults} broken off`].filter(Boolean).join(' · ')),
      table,
      match.live.length > 0 && h('p', { class: 'row' }, 'Going on: ', match.live.map((number) => replay(number, `Game ${number}`))),
      h('div', { class: 'wide card' }, h('table', {},
        h('thead', {}, h('tr', {}, ...['Game', 'Black', 'White', 'Result'].map((name) => h('th', { class: 'l' }, name)), h('th', {}, 'Turns'), h('th'))),
        h('tbody', {}, match.games.map((game) => h('tr', {}, h('td', { class: 'l' }, game.number),
          ...[game.black, game.white].map((name) => h('td', { class: 'l' }, name === game.winner ? h('b', {}, name) : name)),
          h('td', { class: 'l' }, `${resultWords(game.result)}, ${game.how}`), h('td', {}, game.turns), h('td', {}, replay(game.number, 'Replay'))))))),
    ].filter(Boolean));
  }

  async replay(number) {
    try {
      const { game } = await ask('replay', { name: this.name, game: number });
      location.hash = `#/game/${game}`;
    } catch (why) {
      toast(why.message);
    }
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
  }
}
