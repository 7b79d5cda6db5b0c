// The score of a position: what is counted, and which stones are dead.

import { h } from './dom.js';
import { at, nameOf } from './board.js';
import { resultWords } from './words.js';

export class ScorePanel {
  constructor(view) {
    this.view = view;
    this.element = h('section', { class: 'card', hidden: true, 'aria-label': 'Score' });
  }

  /** Counts, or ends looking at an estimate. */
  toggle() {
    const { view } = this;
    if (view.state.score && view.state.position.outcome !== 'counted') {
      view.state.score = null;
      this.show();
      view.draw();
      return;
    }
    view.do('score', {});
  }

  show() {
    const { view } = this;
    const { score, position } = view.state;
    this.element.hidden = !score;
    if (!score) return;
    const isEstimate = position.outcome !== 'counted';
    this.element.replaceChildren(h('h2', {}, 'Score'),
      h('p', {}, h('b', {}, resultWords(score.result)), isEstimate ? ' if the game ended so' : ''),
      h('p', { class: 'soft' }, score.agrees ? 'Dead stones are crossed: click on stones to change what is dead.' : 'By these rules every stone on the board is alive.'),
      h('p', { class: 'row' },
        h('button', { type: 'button', onclick: () => view.do('score', { dead: [] }) }, 'All alive'),
        h('button', { type: 'button', onclick: () => view.do('score', {}) }, 'Ask the engine'),
        isEstimate && h('button', { type: 'button', onclick: () => this.toggle() }, 'Close')));
  }

  /** Whether a chain is dead is changed. */
  toggleDead(name) {
    const { board, state } = this.view;
    if (!'bw'.includes(board.cellOf(name))) return;
    const dead = new Set(state.score.dead);
    const chain = connected(board, name);
    const kill = !dead.has(name);
    chain.forEach((point) => (kill ? dead.add(point) : dead.delete(point)));
    this.view.do('score', { dead: [...dead] });
  }
}

/** The stones connected with one: for marking them dead together. */
function connected(board, name) {
  const kind = board.cellOf(name);
  const seen = new Set([name]);
  for (const point of seen) {
    const { x, y } = at(point);
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      if (board.cell(x + dx, y + dy) === kind) seen.add(nameOf(x + dx, y + dy));
    }
  }
  return [...seen];
}
