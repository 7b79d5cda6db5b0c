// A board as SVG: wood or squares, stones, and layers of marks over them. It knows where points are, and no rules.

import { h, s } from './dom.js';

const LETTERS = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';
export const CELL = 30;
const EDGE = 34;

/** Column and row, from 0 at the lower left, of a point's name. */
export function at(name) {
  return { x: LETTERS.indexOf(name[0].toUpperCase()), y: Number(name.slice(1)) - 1 };
}

export const nameOf = (x, y) => `${LETTERS[x]}${y + 1}`;

const stars = (side) => {
  if (side < 7) return [];
  const far = side > 11 ? 3 : 2;
  return side % 2 ? [far, (side - 1) / 2, side - 1 - far] : [far, side - 1 - far];
};

export class Board {
  /** A board of this many columns and rows in the look of a game, without its stones. */
  constructor(game, [columns, rows], { small = false } = {}) {
    Object.assign(this, { game, columns, rows });
    const edge = small ? CELL * 0.7 : EDGE;
    this.edge = edge;
    const [width, height] = [columns, rows].map((side) => 2 * edge + CELL * (side - 1));
    const viewBox = `0 0 ${width} ${height}`;
    this.svg = s('svg', { viewBox, class: small ? 'mini' : 'board', role: 'img' });
    this.svg.append(gradients());
    // What changes while the stones stay is a picture of its own over the other, so that the browser paints only that anew.
    this.over = s('svg', { viewBox, class: 'over', 'aria-hidden': 'true' });
    this.face = h('div', { class: 'face' }, this.svg, this.over);
    this.ground(width, height, small);
    const add = (svg, layer) => svg.appendChild(s('g', { class: layer }));
    this.layers = { heat: add(this.svg, 'heat'), stones: add(this.svg, 'stones') };
    for (const layer of ['owners', 'marks', 'score', 'candidates', 'line', 'pending', 'cursor']) this.layers[layer] = add(this.over, layer);
    this.stones = new Map();
    this.owners = [];
  }

  /** The middle of a point in the picture. */
  place(x, y) {
    return [this.edge + CELL * x, this.edge + CELL * (this.rows - 1 - y)];
  }

  placeOf(name) {
    const { x, y } = at(name);
    return this.place(x, y);
  }

  ground(width, height, small) {
    const { columns, rows, edge } = this;
    const ground = s('g', {});
    ground.append(s('rect', { class: 'wood', x: 1, y: 1, width: width - 2, height: height - 2, rx: 5 }));
    if (this.game.look === 'squares') {
      for (let y = 0; y < rows; y++) {
        for (let x = 0; x < columns; x++) {
          const [cx, cy] = this.place(x, y);
          const half = CELL / 2;
          ground.append(s('rect', { class: (x + y) % 2 ? 'square-a' : 'square-b', x: cx - half, y: cy - half, width: CELL, height: CELL }));
        }
      }
    } else {
      const [right, bottom] = [width - edge, height - edge];
      for (let x = 0; x < columns; x++) {
        const at = edge + CELL * x;
        ground.append(s('line', { class: x % (columns - 1) ? 'grid-line' : 'grid-edge', x1: at, x2: at, y1: edge, y2: bottom }));
      }
      for (let y = 0; y < rows; y++) {
        const at = edge + CELL * y;
        ground.append(s('line', { class: y % (rows - 1) ? 'grid-line' : 'grid-edge', y1: at, y2: at, x1: edge, x2: right }));
      }
      for (const x of stars(columns)) {
        for (const y of stars(rows)) {
          const [cx, cy] = this.place(x, y);
          ground.append(s('circle', { class: 'star', cx, cy, r: 3 }));
        }
      }
    }
    if (!small) {
      const names = s('g', { class: 'coordinates' });
      const far = this.game.look === 'squares' ? CELL / 2 + 9 : CELL / 2 + 8;
      for (let x = 0; x < columns; x++) {
        const letter = this.game.name(nameOf(x, 0))[0];
        const [cx] = this.place(x, 0);
        for (const y of [edge - far, height - edge + far]) names.append(s('text', { class: 'coordinate', x: cx, y }, letter));
      }
      for (let y = 0; y < rows; y++) {
        const [, cy] = this.place(0, y);
        for (const x of [edge - far, width - edge + far]) names.append(s('text', { class: 'coordinate', x, y: cy }, String(y + 1)));
      }
      ground.append(names);
      this.coordinates = names;
    }
    this.svg.append(ground);
  }

  /** What stands on a point: `b`, `w`, `#` or something else for nothing. */
  cell(x, y) {
    return this.cells?.[this.rows - 1 - y]?.[x] ?? '.';
  }

  cellOf(name) {
    const { x, y } = at(name);
    return this.cell(x, y);
  }

  /** Draws the stones of rows from the top; only what has changed is touched. */
  setCells(cells) {
    this.cells = cells;
    for (let y = 0; y < this.rows; y++) {
      for (let x = 0; x < this.columns; x++) {
        const kind = this.cell(x, y);
        const key = y * this.columns + x;
        const before = this.stones.get(key);
        if (before?.kind === kind) continue;
        before?.element.remove();
        this.stones.delete(key);
        if (!'bw#'.includes(kind)) continue;
        const element = this.piece(kind, ...this.place(x, y));
        this.layers.stones.append(element);
        this.stones.set(key, { kind, element });
      }
    }
  }

  /** A stone, an amazon or an arrow about a place. */
  piece(kind, cx, cy, more = '') {
    if (kind === '#') {
      const half = CELL / 2 - 1.5;
      const cross = CELL * 0.2;
      return s('g', { class: more },
        s('rect', { class: 'burnt', x: cx - half, y: cy - half, width: 2 * half, height: 2 * half, rx: 3 }),
        s('path', { class: 'burnt-mark', d: `M${cx - cross} ${cy - cross}l${2 * cross} ${2 * cross}m0 ${-2 * cross}l${-2 * cross} ${2 * cross}` }));
    }
    const circle = s('circle', { class: `stone-${kind}`, cx, cy, r: CELL * (this.game.look === 'squares' ? 0.4 : 0.47) });
    if (this.game.look !== 'squares') {
      if (more) circle.setAttribute('class', `stone-${kind} ${more}`);
      return circle;
    }
    // An amazon wears a crown.
    const d = `M${cx - 7} ${cy + 4}v-8l4 4l3 -6l3 6l4 -4v8z`;
    return s('g', { class: more }, circle, s('path', { d, class: kind === 'b' ? 'text-b' : 'text-w' }));
  }

  /** Whose the points are, hundredths from the top, Black's above zero; nothing takes the marks away. */
  setOwners(owners) {
    if (!owners) {
      if (this.owners.length) this.layers.owners.replaceChildren();
      this.owners = [];
      return;
    }
    owners.forEach((owned, index) => {
      const step = Math.round(Math.abs(owned) / 12.5);
      const value = step < 2 ? 0 : step * Math.sign(owned);
      const before = this.owners[index] ?? { value: 0 };
      if (before.value === value) return;
      if (value === 0) {
        before.element.remove();
        this.owners[index] = { value: 0 };
        return;
      }
      const [cx, cy] = this.place(index % this.columns, this.rows - 1 - Math.floor(index / this.columns));
      const side = CELL * 0.06 * step;
      const element = before.element ?? s('rect', {});
      element.setAttribute('class', value > 0 ? 'owner-b' : 'owner-w');
      for (const [name, number] of [['x', cx - side / 2], ['y', cy - side / 2], ['width', side], ['height', side]]) {
        element.setAttribute(name, number.toFixed(1));
      }
      if (!before.element) this.layers.owners.append(element);
      this.owners[index] = { value, element };
    });
  }

  /** What is written on a point has to differ from what stands there. */
  on(name) {
    const cell = this.cellOf(name);
    return cell === 'b' || cell === 'w' ? cell : 'none';
  }

  text(name, text, { size = 12, on = this.on(name), className = '' } = {}) {
    const [x, y] = this.placeOf(name);
    return s('text', { x, y, class: `text-${on} ${className}`, 'font-size': size }, String(text));
  }

  /** The point under a pointer, if there is one. */
  pointAt(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return undefined;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const column = Math.round((x - this.edge) / CELL);
    const row = this.rows - 1 - Math.round((y - this.edge) / CELL);
    const isOn = column >= 0 && column < this.columns && row >= 0 && row < this.rows;
    return isOn ? nameOf(column, row) : undefined;
  }
}

function gradients() {
  const one = (id, light, dark) => s('radialGradient', { id, cx: 0.36, cy: 0.3, r: 0.78 },
    s('stop', { offset: 0, 'stop-color': light }), s('stop', { offset: 1, 'stop-color': dark }));
  return s('defs', {}, one('stone-b', '#666', '#141414'), one('stone-w', '#fff', '#dad9d3'));
}
