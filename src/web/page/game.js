// A game on its board: what is clicked and typed goes to the program, what the program tells is drawn.

import { ask } from './link.js';
import { h, s, colorName, keep, kept, say, toast } from './dom.js';
import { Board } from './board.js';
import { gameOf, turnName } from './games.js';
import * as marks from './marks.js';
import { Analysis, Players, TreePanel } from './panels.js';
import { ReviewPanel } from './review.js';
import { ScorePanel } from './score.js';
import { BoardInput } from './input.js';
import { KEYS, act } from './keys.js';
import { resultWords, statusWords } from './words.js';
import { click } from './sound.js';
import { strengthOf } from './home.js';
import { collections, loadRecord } from './main.js';

export class GameView {
  constructor(main, id, games) {
    Object.assign(this, { main, id, pending: [], picked: Promise.resolve(), legal: undefined, show: undefined, overlay: '' });
    this.game = gameOf(games.title);
    this.title = `${games.title} – Tesuji`;
    main.replaceChildren(h('p', { class: 'soft' }, 'Loading …'));
    this.load();
  }

  async load() {
    try {
      const snapshot = await ask('open', { game: this.id });
      if (this.left) return;
      this.build(snapshot);
      this.takeSnapshot(snapshot);
      this.board.svg.focus({ preventScroll: true });
    } catch (why) {
      if (!this.left) this.main.replaceChildren(h('p', {}, `${why.message}. `, h('a', { href: '#/' }, 'All games')));
    }
  }

  // ---- The page ------------------------------------------------------------------------------------------------------

  build(snapshot) {
    const { game } = this;
    this.board = new Board(game, snapshot.position.size);
    this.input = new BoardInput(this);
    this.players = new Players();
    this.status = h('p', { class: 'status', id: 'status' });
    const button = (label, key, action, attributes) => h('button', { type: 'button', title: key && `Key ${key}`, onclick: (event) => {
      action();
      // After a click keys are for the game again; who came by keys stays.
      if (event.detail > 0) event.currentTarget.blur();
    }, ...attributes }, label);
    this.buttons = {
      start: button('|◀', 'Home', () => this.goTo(0), { 'aria-label': 'To the beginning' }),
      back: button('◀', 'p or ←', () => this.back(), { 'aria-label': 'A move back' }),
      next: button('▶', 'n or →', () => this.next(), { 'aria-label': 'A move on' }),
      end: button('▶|', 'End', () => this.toEnd(), { 'aria-label': 'To the end' }),
      undo: button('Undo', 'u', () => this.do('undo')),
      pass: game.hasPass && button('Pass', 'x', () => this.play(['pass'])),
      resign: button('Resign', '', () => confirm('Resign the game?') && this.do('resign')),
      hint: button('Hint', 'h', () => this.hint()),
      think: button('Engine moves', 'g', () => this.do(this.state.thinking ? 'move-now' : 'think')),
      score: game.hasScore && button('Score', 's', () => this.score.toggle()),
    };
    const nav = h('div', { class: 'row tools', role: 'toolbar', 'aria-label': 'Moves' }, Object.values(this.buttons).filter(Boolean));
    this.analyseButton = button('Analyse', 'Space', () => this.analyse(), { 'aria-pressed': 'false' });
    this.analysisPanel = new Analysis(game, { hover: (found) => this.hover(found), play: (steps) => this.play(steps) });
    const showSelect = h('select', { 'aria-label': 'Shown on the board', onchange: (event) => this.choose(event.target.value) },
      h('option', { value: '' }, 'Best moves'), h('option', { value: 'owners' }, 'Owners'), h('option', { value: 'policy' }, 'Heat of the policy'), h('option', { value: 'bare' }, 'Nothing'),
      game.shows.map(([command, name]) => h('option', { value: command }, name)));
    this.showSelect = showSelect;
    this.told = this.heard.bind(this);
    this.said = h('p', { class: 'soft' });
    this.text = h('pre', { class: 'text', hidden: true, tabindex: '0' });
    this.tree = new TreePanel((id) => this.goTo(id));
    this.comment = h('textarea', { 'aria-label': 'Comment on this position', placeholder: 'Comment on this position', onchange: (event) => {
      this.do('comment', { node: this.state.node, text: event.target.value });
    } });
    this.notes = h('p', { class: 'soft' });
    const collection = collections.get(this.id);
    const others = collection && h('p', {}, h('label', {}, 'Game ', h('input', { type: 'number', min: 1, max: collection.games, value: collection.number,
      onchange: ({ target }) => target.reportValidity() && loadRecord(collection.file, Number(target.value)) }), ` of ${collection.games} in this file`));
    this.score = new ScorePanel(this);
    this.review = new ReviewPanel(this);
    this.playersPanel = this.settings();
    const option = (name, label, change) => h('label', {}, h('input', { type: 'checkbox', checked: this.option(name), onchange: (event) => {
      keep(name, event.target.checked);
      change?.();
      this.draw();
    } }), ` ${label} `);
    this.main.replaceChildren(h('div', { class: 'game' },
      h('section', { class: 'boardbox', 'aria-label': 'Board' }, this.players.element, this.board.face, this.status, nav),
      h('aside', {},
        h('section', { class: 'card', 'aria-label': 'Analysis' }, h('div', { class: 'row' }, this.analyseButton, showSelect), this.said, this.text, this.analysisPanel.element),
        this.score.element,
        this.review.element,
        h('section', { class: 'card', 'aria-label': 'Variations' }, h('h2', {}, 'Moves'), this.tree.element, h('p', { class: 'row' },
          button('Delete variation', 'Del', () => this.remove()), h('a', { class: 'button', href: `/games/${this.id}.sgf`, download: true }, 'Save SGF')), this.comment, others, this.notes),
        this.playersPanel,
        h('section', { class: 'card' }, h('details', {}, h('summary', {}, 'Looks and keys'),
          h('p', {}, option('coordinates', 'Coordinates'), option('numbers', 'Move numbers'), option('sounds', 'Sounds')),
          h('dl', { class: 'keys' }, KEYS.flatMap(([key, what]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, what)])))))));
    this.clockTimer = setInterval(() => this.players.clock && this.players.tick(), 200);
  }

  option(name) {
    return kept(name, name === 'coordinates');
  }

  /** Who plays from here on. */
  settings() {
    const { game } = this;
    const options = [['human', 'A person'], ...game.strengths.map(({ name }, index) => [index, `Tesuji: ${name}`])];
    const select = (color) => h('select', { 'aria-label': `Who plays ${colorName(color)}` }, options.map(([value, name]) => h('option', { value }, name)));
    this.sides = ['b', 'w'].map(select);
    const apply = () => this.do('set', { players: this.sides.map((side) => (side.value === 'human'
      ? { engine: false } : { engine: true, ...strengthOf(game, Number(side.value)) })) });
    return h('section', { class: 'card' }, h('details', {}, h('summary', {}, 'Who plays'),
      h('p', { class: 'row' }, 'Black ', this.sides[0]), h('p', { class: 'row' }, 'White ', this.sides[1]),
      h('button', { type: 'button', onclick: apply }, 'Go on from this position')));
  }

  // ---- What the program tells ----------------------------------------------------------------------------------------

  takeSnapshot(snapshot) {
    this.takeTree(snapshot.tree);
    this.takeState(snapshot);
    if (snapshot.review) this.review.take(snapshot.review);
  }

  heard(message) {
    if (message.game && message.game !== this.id) return;
    switch (message.type) {
      case 'state': this.takeState(message.data); break;
      case 'node': this.addNode(message.data); this.tree.draw(this.nodes, message.data.id); break;
      case 'tree': this.takeTree(message.data); break;
      case 'snapshot': this.takeSnapshot(message.data); break;
      case 'analysis': this.takeAnalysis(message); break;
      case 'review': this.review.take(message.data); break;
      case 'warning': toast(message.data); break;
      case 'closed': toast('The game was closed.'); location.hash = '#/'; break;
      default:
    }
  }

  takeTree(list) {
    this.nodes = new Map();
    for (const node of list) this.addNode(node);
    if (!this.state) return;
    this.tree.draw(this.nodes, this.state.node);
    // Another page may have written it.
    const here = this.nodes.get(this.state.node);
    if (here && document.activeElement !== this.comment) this.comment.value = here.comment;
  }

  addNode({ id, parent, color, steps, comment = '' }) {
    const before = this.nodes.get(parent);
    const number = (before?.number ?? -1) + 1;
    const label = before ? `${number}. ${colorName(color)} ${turnName(this.game, steps)}` : 'The beginning';
    if (before && !before.children.includes(id)) before.children.push(id);
    this.nodes.set(id, { id, parent, color, steps, comment, number, label, children: this.nodes.get(id)?.children ?? [] });
  }

  takeState(state) {
    const before = this.state;
    const moved = !before || before.node !== state.node;
    this.state = state;
    if (moved) {
      this.at = state.node;
      this.analysis = undefined;
      this.pending = [];
      this.legal = undefined;
      this.overlay = undefined;
      this.said.textContent = '';
      this.last = [...(this.last ?? []), state.node].slice(-400);
    }
    this.players.show(state);
    this.analyseButton.setAttribute('aria-pressed', String(state.analysing));
    this.showStatus();
    const node = this.nodes.get(state.node);
    if (moved) {
      if (!before) this.tree.draw(this.nodes, state.node);
      this.tree.mark(state.node);
      this.keepComment(before?.node);
      this.comment.value = node?.comment ?? '';
      this.announce(before, node);
      this.review.moved();
      if (this.show) this.refreshShow();
    }
    this.sides.forEach((side, index) => {
      const player = state.players[index];
      if (document.activeElement === side) return;
      const found = this.game.strengths.findIndex(({ level = 0, visits = 0 }) => level === player.level && visits === player.visits);
      side.value = player.engine ? String(Math.max(0, found)) : 'human';
    });
    this.notes.textContent = state.notes.join('. ');
    this.score.show();
    this.draw();
  }

  /** What is being written about a position is kept when the game moves on meanwhile. */
  keepComment(id) {
    const [text, node] = [this.comment.value, this.nodes.get(id)];
    if (node && document.activeElement === this.comment && text !== node.comment) this.do('comment', { node: id, text });
  }

  takeAnalysis({ node, data }) {
    if (node !== this.state?.node) return;
    this.analysis = data;
    // A page that is not looked at draws nothing.
    this.due ??= requestAnimationFrame(() => {
      this.due = undefined;
      this.drawAnalysis();
    });
  }

  showStatus() {
    const { state } = this;
    const { outcome } = state.position;
    const text = statusWords(this.game, state, this.pending.length);
    const number = this.nodes.get(state.node)?.number ?? 0;
    this.status.replaceChildren(h('b', {}, text), h('span', { class: 'soft' }, ` · move ${number}`));
    this.buttons.think.textContent = state.thinking ? 'Move now' : 'Engine moves';
    this.buttons.resign.disabled = Boolean(state.result) || outcome !== 'open';
    if (this.buttons.pass) this.buttons.pass.disabled = outcome !== 'open';
  }

  announce(before, node) {
    if (!node) return;
    const isNew = before && node.parent === before.node;
    const captured = before?.position.captured && this.state.position.captured
      ? this.state.position.captured.reduce((sum, n) => sum + n, 0) - before.position.captured.reduce((sum, n) => sum + n, 0) : 0;
    const { result, position } = this.state;
    const next = result ? resultWords(result) : position.outcome === 'open' ? `${colorName(position.toMove)} to play` : statusWords(this.game, this.state, 0);
    say(`${node.label}${captured > 0 ? `, captures ${captured}` : ''}. ${next}.`);
    if (isNew && this.option('sounds')) click();
  }

  // ---- Drawing -------------------------------------------------------------------------------------------------------

  path() {
    const path = [];
    for (let node = this.nodes.get(this.state.node); node?.parent != null; node = this.nodes.get(node.parent)) path.unshift(node);
    return path;
  }

  draw() {
    const { board, state } = this;
    if (!state) return;
    const node = this.nodes.get(state.node);
    board.setCells(state.position.rows);
    board.coordinates.style.display = this.option('coordinates') ? '' : 'none';
    const numbers = this.option('numbers');
    marks.drawLast(board, node, state.position.last, numbers);
    if (numbers) marks.drawNumbersOfTurns(board, this.path());
    marks.drawPending(board, state.position.toMove, this.pending, this.legal);
    board.layers.line.replaceChildren();
    if (!this.overlay) board.layers.marks.replaceChildren();
    marks.drawRow(board, state.position.row);
    marks.drawScore(board, state.score);
    this.drawAnalysis();
  }

  drawAnalysis() {
    const { board, analysis, state } = this;
    const isOn = state.analysing && analysis && this.show !== 'bare';
    this.analysisPanel.show(state.analysing ? analysis : undefined);
    const busy = this.pending.length > 0 || state.score;
    board.setOwners(isOn && !state.score && (this.show === 'owners') ? analysis.owners : undefined);
    marks.drawCandidates(board, isOn && !busy && !this.show ? analysis : undefined);
    if (this.show === 'policy') this.drawPolicy(isOn ? analysis : undefined);
  }

  /** How likely each turn was thought before the search. */
  drawPolicy(analysis) {
    const layer = this.board.layers.heat;
    layer.replaceChildren();
    const most = Math.max(1e-6, ...(analysis?.moves ?? []).map((found) => found.prior));
    for (const found of analysis?.moves ?? []) {
      const step = found.steps.length === 3 ? found.steps[1] : found.steps[0];
      if (!step || step === 'pass') continue;
      const [cx, cy] = this.board.placeOf(step);
      layer.append(s('circle', { cx, cy, r: 14, fill: '#a33d1f', 'fill-opacity': (0.15 + 0.75 * found.prior / most).toFixed(2) }),
        s('text', { x: cx, y: cy, 'font-size': 11, class: 'text-b number' }, Math.round(100 * found.prior)));
    }
  }

  hover(found) {
    const { board } = this;
    board.layers.line.replaceChildren();
    board.layers.candidates.style.display = found ? 'none' : '';
    if (found) marks.drawVariation(board, found.line, this.state.position.toMove);
  }

  // ---- Drawings and texts of the game --------------------------------------------------------------------------------

  choose(what) {
    this.show = what;
    this.overlay = undefined;
    this.board.layers.heat.replaceChildren();
    this.board.layers.marks.replaceChildren();
    this.said.textContent = '';
    this.text.hidden = true;
    if (['', 'owners', 'policy'].includes(what) && !this.state.analysing && what) this.do('analyse', { on: true });
    this.refreshShow();
    this.draw();
  }

  async refreshShow() {
    if (['', 'owners', 'policy', 'bare', undefined].includes(this.show)) return;
    const [what, node] = [this.show, this.state.node];
    if (this.state.thinking) return;
    try {
      const { kind, text } = await ask('show', { what });
      if (what !== this.show || node !== this.state.node) return;
      this.overlay = kind;
      if (kind === 'gfx') this.said.textContent = marks.drawGfx(this.board, text);
      else if (kind === 'dboard') marks.drawNumbers(this.board, text);
      else if (kind === 'plist') marks.drawPoints(this.board, text);
      else this.text.textContent = text || 'Nothing is told of this position.';
      this.text.hidden = !kind.endsWith('string');
    } catch (why) {
      this.said.textContent = why.message;
    }
  }

  // ---- Playing -------------------------------------------------------------------------------------------------------

  async do(what, fields) {
    // Until it is told where that leads, no position is known to be shown.
    if (['go', 'undo', 'delete', 'think'].includes(what)) this.at = undefined;
    try {
      return await ask(what, fields);
    } catch (why) {
      toast(why.message);
      return undefined;
    }
  }

  async play(steps) {
    this.hover(undefined);
    const node = this.at;
    const done = await this.do('play', { steps, node });
    // The new position may be answered before it is told of, or others have followed it already.
    if (done === undefined) this.cancel();
    else if (this.at === node) this.at = done.node;
  }

  cancel() {
    this.pending = [];
    this.legal = undefined;
    this.showStatus();
    this.draw();
  }

  /** A point is chosen, after what was chosen before it has been answered: the new position can be seen a little earlier. */
  pick(name) {
    const choose = () => this.choosePoint(name);
    this.picked = this.picked.then(choose, choose);
    return this.picked;
  }

  /** A point is chosen: a whole turn, or a step of one. */
  async choosePoint(name) {
    const { state, board, game } = this;
    if (!state) return;
    if (state.score && 'bw'.includes(board.cellOf(name))) return this.score.toggleDead(name);
    if (state.position.outcome !== 'open') return toast('The game is over here.');
    if (state.thinking) return toast('The engine is thinking: “Move now” ends that.');
    if (game.picksOwn && board.cellOf(name) === state.position.toMove && this.pending.length < 2) {
      if (this.pending[0] === name) return this.cancel();
      this.pending = [];
      this.legal = undefined;
    } else if (game.picksOwn && this.pending.length === 0) {
      return toast(`Choose an amazon of ${colorName(state.position.toMove)} first.`);
    }
    const place = this.pending.indexOf(name);
    if (place >= 0 && !(game.picksOwn && this.legal?.has(name))) {
      this.pending = this.pending.slice(0, place);
      this.legal = undefined;
      if (this.pending.length) await this.askLegal();
      this.showStatus();
      return this.draw();
    }
    if (this.legal && !this.legal.has(name)) return toast('That cannot be reached.');
    if (!game.picksOwn && board.cellOf(name) !== '.' && board.cellOf(name) !== '+') return toast('There is a stone already.');
    this.pending.push(name);
    if (this.pending.length >= state.position.due) await this.play(this.pending);
    else if (await this.askLegal() === 0) await this.play(this.pending);
    this.showStatus();
    this.draw();
  }

  /** Where the turn can go on; gives how many steps are due. */
  async askLegal() {
    const answer = await this.do('legal', { steps: this.pending });
    if (!answer) {
      this.pending.pop();
      return undefined;
    }
    this.legal = new Set(answer.legal);
    if (this.pending.length < 3) say(`${this.pending.map(this.game.name).join(' ')} chosen. ${answer.legal.length} points to choose from.`);
    return answer.due;
  }

  // ---- Moving about --------------------------------------------------------------------------------------------------

  goTo(node) {
    if (node !== this.state.node) this.do('go', { node });
  }

  back() {
    const { parent } = this.nodes.get(this.state.node);
    if (parent != null) this.goTo(parent);
  }

  /** The line that we came from, else the first. */
  next() {
    const { children } = this.nodes.get(this.state.node);
    if (children.length) this.goTo(children.findLast?.((id) => this.last.includes(id) && this.wasLast(id, children)) ?? children[0]);
  }

  wasLast(id, among) {
    return this.last.lastIndexOf(id) === Math.max(...among.map((child) => this.last.lastIndexOf(child)));
  }

  toEnd() {
    let node = this.nodes.get(this.state.node);
    while (node.children.length) node = this.nodes.get(node.children[0]);
    this.goTo(node.id);
  }

  sibling(step) {
    const node = this.nodes.get(this.state.node);
    const { children } = this.nodes.get(node.parent) ?? { children: [] };
    const next = children[children.indexOf(node.id) + step];
    if (next !== undefined) this.goTo(next);
  }

  remove() {
    const node = this.nodes.get(this.state.node);
    if (node.parent != null && (node.children.length === 0 || confirm('Delete this move and everything after it?'))) this.do('delete', { node: node.id });
  }

  analyse() {
    this.do('analyse', { on: !this.state.analysing });
  }

  /** The best move for a moment, without leaving the analysis on. */
  async hint() {
    try {
      const { text } = await ask('show', { what: 'tesuji-best_moves' });
      this.overlay = 'gfx';
      this.said.textContent = marks.drawGfx(this.board, text);
      say(this.said.textContent);
    } catch (why) {
      toast(why.message);
    }
  }

  key(event) {
    if (this.state) act(this, event);
  }

  leave() {
    this.left = true;
    clearInterval(this.clockTimer);
    cancelAnimationFrame(this.due);
    ask('open', { game: null }).catch(() => {});
  }
}
