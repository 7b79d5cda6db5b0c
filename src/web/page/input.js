// The board under the pointer and under the arrow keys: clicks, drags, and the cursor.

import { s, say } from './dom.js';
import { at, nameOf } from './board.js';

/** So long a piece has to rest on a square while it is dragged for the arrow to follow. */
const REST = 350;

export class BoardInput {
  /** `view` is told what is chosen. */
  constructor(view) {
    this.view = view;
    const { board, game } = view;
    const { svg } = board;
    svg.setAttribute('role', 'application');
    svg.setAttribute('tabindex', '0');
    svg.setAttribute('aria-roledescription', 'board');
    svg.setAttribute('aria-label', `${game.title} board, ${board.columns} by ${board.rows}. Arrows move the cursor, Enter plays.`);
    if (game.maxSteps === 3) svg.classList.add('drags');
    this.ring = s('circle', { class: 'cursor', r: 17 });
    board.layers.cursor.append(this.ring);
    this.moveTo({ x: Math.floor(board.columns / 2), y: Math.floor(board.rows / 2) });
    svg.addEventListener('pointerdown', (event) => this.down(event));
    svg.addEventListener('pointermove', (event) => this.moved(event));
    svg.addEventListener('pointerup', (event) => this.up(event));
    svg.addEventListener('pointerleave', () => this.pointed(undefined));
    svg.addEventListener('keydown', (event) => this.key(event));
  }

  moveTo(cursor) {
    this.cursor = cursor;
    const [cx, cy] = this.view.board.place(cursor.x, cursor.y);
    this.ring.setAttribute('cx', cx);
    this.ring.setAttribute('cy', cy);
  }

  down(event) {
    const { view } = this;
    if (event.button !== 0) return;
    const name = view.board.pointAt(event);
    if (!name) return;
    this.from = name;
    if (view.game.maxSteps === 3 && view.pending.length === 0 && view.board.cellOf(name) === view.state?.position.toMove) {
      this.dragged = true;
      view.pick(name);
    }
  }

  moved(event) {
    const { view } = this;
    const name = view.board.pointAt(event);
    this.pointed(name);
    if (!this.dragged || !(event.buttons & 1) || name === this.over) return;
    this.over = name;
    clearTimeout(this.resting);
    // A piece that rests on a square has gone there: the arrow follows in the same drag.
    this.resting = setTimeout(() => {
      const rests = this.dragged && this.over === name && view.pending.length === 1;
      if (rests && view.legal?.has(name)) view.pick(name);
    }, REST);
  }

  async up(event) {
    const { view, dragged: wasDragged } = this;
    clearTimeout(this.resting);
    const name = view.board.pointAt(event);
    this.dragged = false;
    this.over = undefined;
    if (!name) return;
    this.moveTo(at(name));
    if (wasDragged) {
      // The squares that can be reached may still be on their way.
      await view.picked;
      if (name === (view.pending.at(-1) ?? this.from)) return;
      if (view.pending.length && view.legal?.has(name)) view.pick(name);
    } else if (name === this.from) view.pick(name);
  }

  /** The pointer is over a point: the variation that begins there is drawn, or what would be played. */
  pointed(name) {
    if (name === this.pointedAt) return;
    this.pointedAt = name;
    const { board, game, state, pending, analysis, show } = this.view;
    if (!state || pending.length) return;
    const isShown = state.analysing && analysis && !show;
    const found = isShown && name && analysis.moves.find(({ steps }) => (steps.length === 3 ? steps[1] : steps[0]) === name);
    this.view.hover(found || undefined);
    if (!found && name && game.look === 'points' && !'bw'.includes(board.cellOf(name)) && state.position.outcome === 'open' && !state.score) {
      board.layers.line.replaceChildren(board.piece(state.position.toMove, ...board.placeOf(name), 'ghost'));
    }
  }

  key(event) {
    const { view: { board, game } } = this;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) {
      event.preventDefault();
      event.stopPropagation();
      const within = (value, side) => Math.min(side - 1, Math.max(0, value));
      this.moveTo({ x: within(this.cursor.x + step[0], board.columns), y: within(this.cursor.y + step[1], board.rows) });
      const name = nameOf(this.cursor.x, this.cursor.y);
      say(`${game.name(name)}, ${game.describe(board.cellOf(name))}`);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.view.pick(nameOf(this.cursor.x, this.cursor.y));
    }
  }
}
