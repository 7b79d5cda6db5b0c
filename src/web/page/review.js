// The review of a game: a curve to click on, the largest losses, and what the players' moves come to.

import { h, s, colorName } from './dom.js';
import { turnName } from './games.js';

/** What a review measures: leads in points, or, of games without points, chances in hundredths. */
const MEASURES = {
  points: { of: ({ lead }) => lead, min: 10, max: 60, doubt: 1, listed: 0.5, unit: ' points', name: "Black's lead", scale: (most) => `±${most.toFixed(0)} points`, places: 1 },
  chance: { of: ({ winrate }) => 100 * winrate - 50, min: 50, max: 50, doubt: 3, listed: 3, unit: '%', name: "Black's chance of winning", scale: () => '0 to 100%', places: 0 },
};

export class ReviewPanel {
  constructor(view) {
    this.view = view;
    this.begin = h('button', { type: 'button', onclick: () => this.toggle() }, 'Review this game');
    this.state = h('span', { class: 'soft', role: 'status' });
    this.save = h('a', { class: 'button', href: `/games/${view.id}-review.sgf`, download: true, hidden: true }, 'Save annotated SGF');
    this.curve = s('svg', { class: 'curve', viewBox: '0 0 100 60', preserveAspectRatio: 'none', role: 'img', hidden: true, onclick: (event) => this.clicked(event) });
    this.words = h('div', {});
    this.losses = h('tbody');
    this.table = h('div', { class: 'wide', hidden: true }, h('table', {}, h('thead', {}, h('tr', {}, h('th', { class: 'l' }, 'Move'), h('th', {}, 'Lost'), h('th', { class: 'l' }, 'Better'))), this.losses));
    this.element = h('section', { class: 'card', 'aria-label': 'Review' }, h('h2', {}, 'Review'),
      h('p', { class: 'row' }, this.begin, this.save, this.state), this.curve, this.words, this.table);
  }

  toggle() {
    this.view.do('review', { stop: Boolean(this.goesOn) });
  }

  /** What was found so far. */
  take(review) {
    if (review.error) {
      this.goesOn = false;
      this.state.textContent = review.error;
      this.begin.textContent = 'Review this game';
      return;
    }
    this.document = review.document;
    this.goesOn = !review.ended;
    this.begin.textContent = this.goesOn ? 'Stop' : 'Review again';
    this.state.textContent = review.ended ? '' : `${Math.round(100 * review.share)}%`;
    this.save.hidden = !review.ended;
    this.draw();
  }

  draw() {
    const { document } = this;
    const measure = MEASURES[document.measure ?? 'points'];
    const values = [document.start, ...document.moves.map((move) => move.black)];
    this.count = Math.max(1, document.moves.length);
    const x = (number) => (100 * number) / this.count;
    const most = Math.max(measure.min, ...values.filter(Boolean).map((value) => Math.min(measure.max, Math.abs(measure.of(value)))));
    const y = (value) => 30 - (28 * Math.max(-most, Math.min(most, value))) / most;
    const known = values.map((value, number) => value && [x(number), y(measure.of(value))]).filter(Boolean);
    const trace = known.map(([a, b]) => `${a.toFixed(2)},${b.toFixed(2)}`).join(' ');
    const bars = document.moves.filter((move) => move.assessment?.loss > measure.doubt).map((move) => s('rect', {
      class: `loss-${move.color[0]}`, x: x(move.number) - 0.35, width: 0.7, y: 60 - Math.min(25, move.assessment.loss), height: Math.min(25, move.assessment.loss),
    }, s('title', {}, `Move ${move.number} lost ${move.assessment.loss.toFixed(measure.places)}${measure.unit}`)));
    this.here = s('line', { class: 'here', y1: 0, y2: 60 });
    this.curve.replaceChildren(s('line', { class: 'axis', x1: 0, x2: 100, y1: 30, y2: 30 }), ...bars,
      s('polygon', { class: 'area', points: `0,30 ${trace} ${known.at(-1)?.[0] ?? 0},30` }), s('polyline', { class: 'trace', points: trace }), this.here);
    this.curve.removeAttribute('hidden');
    this.curve.setAttribute('aria-label', `${measure.name} over ${this.count} moves, ${measure.scale(most)}`);
    this.words.replaceChildren(h('p', { class: 'soft' }, `The curve is ${measure.name}, ${measure.scale(most)}; bars below are losses. Click to go there.`),
      h('table', {}, h('thead', {}, h('tr', {}, h('th', { class: 'l' }, 'Player'), h('th', {}, 'Accuracy'), h('th', {}, 'Lost a move'))),
        h('tbody', {}, document.players.map(({ color, name, summary }) => h('tr', {}, h('td', { class: 'l' }, name || colorName(color[0])),
          h('td', {}, Math.round(summary.all.accuracy)), h('td', {}, summary.all.mean_loss.toFixed(1) + (measure.places ? '' : measure.unit)))))));
    const largest = document.moves.filter((move) => move.assessment?.loss > measure.listed).sort((a, b) => b.assessment.loss - a.assessment.loss).slice(0, 8);
    this.table.hidden = largest.length === 0;
    this.losses.replaceChildren(...largest.map((move) => {
      // Of Go's candidates the first may be what was played; other games name the better one alone.
      const best = move.assessment.better ?? move.candidates[0];
      const { game } = this.view;
      // Go's lines are words, those of other games turns of several steps.
      const turns = best && (best.turns ?? best.line.split(' ').map((word) => [word]));
      return h('tr', {}, h('td', { class: 'l' }, h('button', { type: 'button', onclick: () => this.go(move.number - 1) }, `${move.number} ${colorName(move.color[0])} ${move.move ?? turnName(game, move.steps)}`)),
        h('td', {}, move.assessment.loss.toFixed(measure.places) + (measure.places ? '' : measure.unit)),
        h('td', { class: 'l' }, turns ? h('button', { type: 'button', onclick: () => this.show(move, turns) }, turnName(game, turns[0])) : ''));
    }));
    this.moved();
  }

  moved() {
    const node = this.view.nodes?.get(this.view.state?.node);
    if (!this.document || !node) return;
    const at = (100 * node.number) / this.count;
    this.here?.setAttribute('x1', at);
    this.here?.setAttribute('x2', at);
  }

  clicked(event) {
    const { left, width } = this.curve.getBoundingClientRect();
    this.go(Math.round(((event.clientX - left) / width) * this.count));
  }

  /** To a move of the main line. */
  go(number) {
    let node = this.view.nodes.get(0);
    while (node.number < number && node.children.length) node = this.view.nodes.get(node.children[0]);
    this.view.goTo(node.id);
    return node;
  }

  /** To the position before a mistake, with the better moves drawn. */
  show(move, line) {
    this.go(move.number - 1);
    setTimeout(() => this.view.hover({ line }), 150);
  }
}
