// The panels beside a board: players and clocks, what is thought, the tree of variations.

import { h, s, percent, count, colorName, plural } from './dom.js';
import { turnName } from './games.js';

/** Who plays, prisoners, and the clock. */
export class Players {
  constructor() {
    this.boxes = ['b', 'w'].map((color) => {
      const parts = {
        name: h('span', { class: 'name' }), captured: h('span', { class: 'captured' }), clock: h('span', { class: 'clock' }),
      };
      parts.box = h('div', { class: 'player', 'aria-label': colorName(color) },
        h('span', { class: `disc ${color}`, title: colorName(color) }), parts.name, parts.captured, parts.clock);
      return parts;
    });
    this.element = h('div', { class: 'players' }, this.boxes.map((parts) => parts.box));
  }

  show(state) {
    this.clock = state.clock;
    this.since = performance.now();
    const { captured, toMove } = state.position;
    this.boxes.forEach((parts, side) => {
      const color = 'bw'[side];
      const plain = state.players[side].engine ? 'Tesuji' : state.players[1 - side].engine ? 'You' : colorName(color);
      parts.name.textContent = state.names[side] || plain;
      parts.name.title = `${colorName(color)}: ${parts.name.textContent}`;
      parts.captured.textContent = captured && captured[side] ? `+${captured[side]}` : '';
      parts.captured.title = captured ? plural(captured[side], 'prisoner') : '';
      parts.box.classList.toggle('on', toMove === color && !state.result && state.position.outcome === 'open');
    });
    this.tick();
  }

  /** Counts down by itself; what is true comes with the next state. */
  tick() {
    this.boxes.forEach((parts, side) => {
      if (!this.clock) {
        parts.clock.textContent = '';
        return;
      }
      let { kind, seconds, count: left } = this.clock.left[side];
      if (this.clock.running === 'bw'[side]) seconds -= (performance.now() - this.since) / 1000;
      const [period, periods] = this.clock.overtime;
      if (kind === 'main' && seconds < 0 && period > 0) {
        [kind, seconds, left] = [this.clock.control.startsWith('byoyomi') ? 'periods' : 'stones', seconds + period, periods];
      }
      while (kind === 'periods' && seconds < 0 && left > 1) [seconds, left] = [seconds + period, left - 1];
      seconds = Math.max(0, seconds);
      const time = seconds < 10 ? seconds.toFixed(1) : `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
      parts.clock.textContent = time + (kind === 'periods' ? ` ×${left}` : kind === 'stones' ? ` /${left}` : '');
      parts.clock.classList.toggle('low', seconds < 10);
    });
  }
}

/** The board and the bar are watched, texts are read: they change so many milliseconds after they did, or at once for another best
 * turn. */
const TEXTS_EVERY = 250;

/** What an analysis tells: a bar, and a table of the best turns. */
export class Analysis {
  constructor(game, { hover, play }) {
    Object.assign(this, { game, hover, play });
    this.black = h('div', { class: 'black' });
    this.labels = [h('span', { class: 'cell' }), h('span', { class: 'cell' })];
    this.bar = h('div', { class: 'bar', role: 'img' }, this.black, h('div', { class: 'label' }, this.labels));
    this.head = h('p', { class: 'soft cell' });
    this.body = h('tbody');
    this.rows = [];
    const lead = this.hasLead = game.title === 'Go';
    this.table = h('div', { class: 'wide' }, h('table', { class: 'candidates-table' },
      h('thead', {}, h('tr', {}, h('th', { class: 'l' }, 'Move'), h('th', {}, 'Wins'), lead && h('th', {}, 'Lead'), h('th', {}, 'Visits'), h('th', { class: 'l' }, 'Then'))),
      this.body));
    this.element = h('div', { class: 'analysis' }, this.bar, this.head, this.table);
  }

  show(analysis) {
    this.element.hidden = !analysis;
    if (!analysis) return;
    this.analysis = analysis;
    this.black.style.transform = `scaleX(${this.chance().toFixed(3)})`;
    const best = (moves) => String(moves?.[0]?.steps);
    if (best(analysis.moves) !== best(this.moves) || performance.now() - this.written >= TEXTS_EVERY) this.write();
    // With the next update that comes later than that, so that the page is painted once; without one a little later.
    else this.later ??= setTimeout(() => this.write(), 2 * TEXTS_EVERY);
  }

  /** How likely Black wins. */
  chance() {
    const { color, winrate } = this.analysis;
    return color === 'b' ? winrate : 1 - winrate;
  }

  /** Writes all texts anew. */
  write() {
    clearTimeout(this.later);
    this.later = undefined;
    this.written = performance.now();
    const { color, visits, lead, proven, moves } = this.analysis;
    const chance = this.chance();
    this.labels[0].textContent = `Black ${percent(chance)}`;
    this.labels[1].textContent = `White ${percent(1 - chance)}`;
    this.bar.setAttribute('aria-label', `Black wins ${percent(chance)}`);
    let text = `${count(visits)} visit${visits === 1 ? '' : 's'}`;
    if (lead != null) text += ` · ${colorName(lead >= 0 === (color === 'b') ? 'b' : 'w')} leads by ${Math.abs(lead).toFixed(1)}`;
    if (proven) text += ` · ${colorName(color)} ${proven === 'win' ? 'wins by force' : 'loses by force'}`;
    this.head.textContent = text;
    this.moves = moves.slice(0, 10);
    while (this.rows.length < this.moves.length) this.rows.push(this.row(this.rows.length));
    this.rows.forEach((row, index) => {
      const found = this.moves[index];
      row.element.hidden = !found;
      if (!found) return;
      const then = found.line.slice(1, 5).map((steps) => turnName(this.game, steps)).join('  ');
      row.set([turnName(this.game, found.steps), found.proven === 'win' ? 'won' : found.proven === 'loss' ? 'lost' : percent(found.winrate),
        found.lead == null ? '' : (found.lead > 0 ? '+' : '') + found.lead.toFixed(1), count(found.visits), then]);
    });
  }

  /** A row that is made once and written anew: ten times a second it would be thrown away else. */
  row(index) {
    const move = h('button', { type: 'button', onclick: () => this.play(this.moves[index].steps) });
    const cells = [move, ...Array.from({ length: 4 }, () => h('span', { class: 'cell' }))];
    const texts = [];
    const element = h('tr', {
      onmouseenter: () => this.hover(this.moves[index]), onmouseleave: () => this.hover(undefined),
      onfocusin: () => this.hover(this.moves[index]), onfocusout: () => this.hover(undefined),
    }, h('td', { class: 'l' }, move), h('td', {}, cells[1]), this.hasLead && h('td', {}, cells[2]), h('td', {}, cells[3]), h('td', { class: 'line' }, cells[4]));
    this.body.append(element);
    return { element, set: (wanted) => wanted.forEach((text, at) => { if (texts[at] !== text) cells[at].textContent = texts[at] = text; }) };
  }
}

const STEP = 24;

/** The tree of variations: a row of dots for each, to be clicked on. */
export class TreePanel {
  constructor(go) {
    this.go = go;
    this.element = h('div', { class: 'tree' });
  }

  /** Draws all nodes; variations of variations lie below. */
  draw(nodes, here) {
    const places = new Map();
    let deepest = 0;
    let longest = 0;
    // Branches that come late lie next to their line, so that no line crosses another.
    const open = [[0, 0]];
    while (open.length) {
      let [id, x] = open.pop();
      const y = deepest++;
      for (;;) {
        const node = nodes.get(id);
        places.set(id, [x, y]);
        longest = Math.max(longest, x);
        const [first, ...others] = node.children;
        for (const other of others.reverse()) open.push([other, x + 1]);
        if (first === undefined) break;
        id = first;
        x += 1;
      }
    }
    deepest -= 1;
    const edges = [];
    const place = ([x, y]) => [12 + STEP * x, 12 + STEP * y];
    const dots = [];
    for (const [id, at] of places) {
      const node = nodes.get(id);
      const [cx, cy] = place(at);
      if (node.parent != null) {
        const [px, py] = place(places.get(node.parent));
        edges.push(s('path', { class: 'edge', d: py === cy ? `M${px} ${py}H${cx}` : `M${px} ${py}V${cy - STEP / 2}L${px + STEP / 2} ${cy}H${cx}` }));
      }
      dots.push(s('circle', { class: `node ${node.parent == null ? 'root' : node.color}`, cx, cy, r: 7, 'data-id': id },
        s('title', {}, node.label)));
      if (node.comment) dots.push(s('circle', { class: 'noted', cx: cx + 6, cy: cy - 6, r: 3 }));
    }
    this.places = new Map([...places].map(([id, at]) => [id, place(at)]));
    this.ring = s('circle', { class: 'here', r: 10 });
    const [width, height] = [24 + STEP * longest, 24 + STEP * deepest];
    this.svg = s('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${plural(nodes.size - 1, 'move')} in ${plural(deepest + 1, 'line')}`,
      onclick: (event) => { const id = event.target.dataset?.id; if (id !== undefined) this.go(Number(id)); } },
    ...edges, ...dots, this.ring);
    this.element.replaceChildren(this.svg);
    this.mark(here);
  }

  /** Shows where we are. */
  mark(here) {
    const place = this.places?.get(here);
    if (!place) return;
    this.ring.setAttribute('cx', place[0]);
    this.ring.setAttribute('cy', place[1]);
    const box = this.element;
    if (place[0] < box.scrollLeft + 30 || place[0] > box.scrollLeft + box.clientWidth - 40) box.scrollLeft = place[0] - box.clientWidth / 2;
    if (place[1] < box.scrollTop + 20 || place[1] > box.scrollTop + box.clientHeight - 20) box.scrollTop = place[1] - box.clientHeight / 2;
  }
}
