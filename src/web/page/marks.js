// What is drawn over a board: GoGui's drawing language, candidates, variations, the score.

import { s, about } from './dom.js';
import { CELL, at, nameOf } from './board.js';

const isPoint = (word) => /^[A-HJ-Z][0-9]{1,2}$/i.test(word);

/** Draws the commands of GoGui's `gfx`, one a row; what its `TEXT` says is given back. */
export function drawGfx(board, text) {
  const { marks } = board.layers;
  marks.replaceChildren();
  let said = '';
  const heat = [];
  const over = [];
  for (const row of text.split('\n')) {
    const [what, ...words] = row.trim().split(/\s+/);
    const points = words.filter(isPoint).filter((name) => {
      const { x, y } = at(name);
      return x >= 0 && x < board.columns && y >= 0 && y < board.rows;
    });
    const circles = (r, attributes) => points.forEach((name) => {
      const [cx, cy] = board.placeOf(name);
      over.push(s('circle', { cx, cy, r, ...attributes, class: `last on-${board.on(name)}` }));
    });
    switch (what) {
      case 'TEXT': said = row.trim().slice(5); break;
      case 'COLOR': points.forEach((name) => heat.push(square(board, name, { fill: words[0], 'fill-opacity': 0.55 }))); break;
      case 'BLACK': points.forEach((name) => heat.push(square(board, name, { fill: '#000', 'fill-opacity': 0.4 }))); break;
      case 'WHITE': points.forEach((name) => heat.push(square(board, name, { fill: '#fff', 'fill-opacity': 0.55 }))); break;
      case 'LABEL': if (points[0]) over.push(board.text(points[0], words[1] ?? '', { size: 11, className: 'number' })); break;
      case 'CIRCLE': circles(CELL * 0.28); break;
      case 'MARK': points.forEach((name) => over.push(cross(board, name))); break;
      case 'TRIANGLE': points.forEach((name) => over.push(triangle(board, name))); break;
      case 'SQUARE': points.forEach((name) => over.push(square(board, name, { class: `last on-${board.on(name)}`, fill: 'none' }, 0.45))); break;
      case 'VAR': over.push(...variationPieces(board, turnsOf(words))); break;
      default:
    }
  }
  marks.append(...heat, ...over);
  return said;
}

/** `b D4 w Q16 w Q10` as turns: steps of one colour that follow each other are one turn where a game has such. */
function turnsOf(words) {
  const turns = [];
  for (let index = 0; index + 1 < words.length; index += 2) {
    const color = words[index].toLowerCase()[0];
    const last = turns.at(-1);
    if (last && last.color === color) last.steps.push(words[index + 1]);
    else turns.push({ color, steps: [words[index + 1]] });
  }
  return turns;
}

/** Draws GoGui's `dboard`: rows of numbers from the top, Black's above zero. */
export function drawNumbers(board, text) {
  const { marks } = board.layers;
  marks.replaceChildren();
  text.trim().split('\n').forEach((row, index) => {
    row.trim().split(/\s+/).forEach((word, x) => {
      const value = Number(word);
      const share = Math.min(1, Math.abs(value));
      if (!(share > 0.04)) return;
      const name = nameOf(x, board.rows - 1 - index);
      marks.append(square(board, name, {
        fill: value > 0 ? '#000' : '#fff', 'fill-opacity': (0.75 * share).toFixed(2), stroke: value > 0 ? '#000' : '#fff',
      }, 0.25 + 0.65 * share));
    });
  });
}

/** Draws a list of points. */
export function drawPoints(board, text) {
  board.layers.marks.replaceChildren(...text.split(/\s+/).filter(isPoint).map((name) => cross(board, name)));
}

function square(board, name, attributes, share = 0.96) {
  const [cx, cy] = board.placeOf(name);
  const side = CELL * share;
  return s('rect', { x: cx - side / 2, y: cy - side / 2, width: side, height: side, rx: 2, ...attributes });
}

function cross(board, name) {
  const [x, y] = board.placeOf(name);
  const far = CELL * 0.24;
  return s('path', { d: `M${x - far} ${y - far}l${2 * far} ${2 * far}m0 ${-2 * far}l${-2 * far} ${2 * far}`, class: `last on-${board.on(name)}` });
}

function triangle(board, name) {
  const [x, y] = board.placeOf(name);
  return s('path', { d: `M${x} ${y - 8}l7.5 13h-15z`, class: `last on-${board.on(name)}` });
}

/** The last turn: a ring, or in a game of squares the queen's way and the arrow. */
export function drawLast(board, node, last, numbers) {
  const layer = board.layers.pending;
  layer.replaceChildren();
  if (node?.steps.length === 3) {
    const [from, to] = node.steps.map((step) => board.placeOf(step));
    layer.append(
      s('line', { x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: 'last on-none', 'stroke-dasharray': '3 3' }),
      square(board, node.steps[1], { class: 'last on-none', fill: 'none' }, 0.92),
      square(board, node.steps[2], { class: 'last on-b', fill: 'none' }, 0.8));
  } else if (!numbers) {
    for (const name of last) {
      const [cx, cy] = board.placeOf(name);
      layer.append(s('circle', { cx, cy, r: CELL * 0.24, class: `last on-${board.on(name)}` }));
    }
  }
}

/** Numbers of the turns on the stones that still stand; `path` are the nodes up to here. */
export function drawNumbersOfTurns(board, path) {
  const numbers = new Map();
  path.forEach((node, index) => {
    const shown = node.steps.length === 3 ? [node.steps[1]] : node.steps;
    shown.forEach((step) => { if (step !== 'pass') numbers.set(step, index + 1); });
  });
  for (const [name, number] of numbers) {
    if (board.on(name) === 'none') continue;
    board.layers.pending.append(board.text(name, number, { size: number > 99 ? 10 : 12, className: 'number' }));
  }
}

/** The best turns as circles with chance and visits, or as ways and arrows where a turn has three squares. */
export function drawCandidates(board, analysis) {
  const layer = board.layers.candidates;
  const drawn = board.drawnCandidates ?? new Map();
  const wanted = new Map((analysis ? candidates(analysis) : []).map((one) => [one.shape, one]));
  board.drawnCandidates = wanted;
  drawn.forEach(({ element }, shape) => wanted.has(shape) || element.remove());
  // Ten times a second most turns only have other numbers: what stays costs nothing.
  wanted.forEach((one, shape) => {
    const before = drawn.get(shape);
    one.element = before?.element ?? candidate(board, one);
    if (!before) return layer.append(one.element);
    for (const part of ['chance', 'visits']) {
      const text = one[part] !== before[part] && one.element.querySelector(`.${part}`);
      if (text) text.textContent = one[part];
    }
    if (one.opacity !== before.opacity) one.element.querySelector('circle').setAttribute('fill-opacity', one.opacity);
    return undefined;
  });
  // Turns of several steps lie over each other, the best above.
  const [first] = wanted.values();
  if (first?.steps.length > 1 && String([...wanted.keys()]) !== String([...drawn.keys()])) layer.append(...[...wanted.values()].map(({ element }) => element).reverse());
}

/** What is drawn of the best turns, the best first; those of equal shapes differ in their numbers alone. */
function candidates({ moves }) {
  const many = { 3: 3, 2: 5 }[moves[0]?.steps.length] ?? 16;
  const most = moves[0]?.visits || 1;
  const used = new Set();
  const wanted = [];
  moves.slice(0, many).forEach(({ steps, visits, winrate, proven }, index) => {
    const isBest = index === 0;
    if (steps[0] === 'pass' || steps.length === 0) return;
    if (!isBest && visits < most * 0.005) return;
    const chance = { win: '✓', loss: '✗' }[proven] ?? Math.round(100 * winrate);
    const opacity = isBest ? 0.9 : (0.35 + 0.55 * Math.sqrt(visits / most)).toFixed(1);
    // A stone that a better turn has too is drawn there.
    const free = steps.length === 3 ? steps : steps.map((step) => !used.has(step) && used.add(step) && step);
    const shape = steps.length === 1 ? `${steps} ${isBest}` : `${index} ${steps} ${free.map(Boolean)}`;
    wanted.push({ steps, free, number: index + 1, opacity, chance, visits: about(visits), shape });
  });
  return wanted;
}

function candidate(board, { steps, free, number, chance, opacity, visits }) {
  const group = s('g', { class: `candidate${number === 1 ? ' best' : ''}` });
  const places = steps.map((step) => board.placeOf(step));
  const [from, to, arrow] = places;
  if (to) group.append(s('line', { x1: from[0], y1: from[1], x2: to[0], y2: to[1] }));
  if (arrow) {
    group.append(square(board, steps[2], {}, 0.78), disc(to, 10, chance, 12, { className: 'chance' }), s('text', { x: arrow[0], y: arrow[1], class: 'variation-label' }, String(number)));
    return group;
  }
  places.forEach((place, part) => {
    if (!free[part]) return;
    const label = part === 0 ? chance : number;
    group.append(disc(place, CELL * 0.45, label, to ? 12 : 11, { className: part === 0 ? 'chance' : '', below: to ? '' : visits, opacity }));
  });
  return group;
}

function disc([cx, cy], r, text, size, { className, below = '', opacity = 0.9 }) {
  const group = s('g', {}, s('circle', { cx, cy, r, 'fill-opacity': opacity }),
    s('text', { x: cx, y: below ? cy - 4 : cy, 'font-size': size, class: className }, String(text)));
  if (below) group.append(s('text', { x: cx, y: cy + 6.5, 'font-size': 8.5, class: 'visits' }, below));
  return group;
}

/** Draws a variation that begins with a side's turn. */
export function drawVariation(board, line, color) {
  const colors = [color, color === 'b' ? 'w' : 'b'];
  const turns = line.map((steps, index) => ({ color: colors[index % 2], steps }));
  board.layers.line.replaceChildren(...variationPieces(board, turns));
}

function variationPieces(board, turns) {
  const pieces = [];
  const used = new Set();
  turns.slice(0, board.game.maxSteps === 3 ? 3 : 14).forEach(({ color, steps }, index) => {
    if (steps.length === 3 && board.game.maxSteps === 3) {
      const [from, to, arrow] = steps.map((step) => board.placeOf(step));
      pieces.push(
        s('line', { x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: 'last on-none', 'stroke-width': 3 }),
        board.piece(color, ...to, 'ghost'), board.piece('#', ...arrow, 'ghost'),
        s('text', { x: to[0], y: to[1] + 9, class: `text-${color} number`, 'font-size': 10 }, String(index + 1)),
        s('text', { x: arrow[0], y: arrow[1], class: 'text-b number', 'font-size': 12 }, String(index + 1)));
      return;
    }
    for (const step of steps) {
      if (step === 'pass' || used.has(step)) continue;
      used.add(step);
      const place = board.placeOf(step);
      pieces.push(board.piece(color, ...place), s('text', { x: place[0], y: place[1], class: `text-${color} number`, 'font-size': 12 }, String(index + 1)));
    }
  });
  return pieces;
}

/** The score: whose the points are, and which stones are dead. */
export function drawScore(board, score) {
  const layer = board.layers.score;
  layer.replaceChildren();
  if (!score) return;
  const dead = new Set(score.dead);
  score.owners.forEach((row, index) => {
    [...row].forEach((owner, x) => {
      const name = nameOf(x, board.rows - 1 - index);
      const stands = board.on(name);
      if (owner !== '.' && (stands === 'none' || dead.has(name))) layer.append(square(board, name, { class: `owner-${owner}` }, 0.36));
      if (dead.has(name)) {
        const [cx, cy] = board.placeOf(name);
        const far = CELL * 0.34;
        layer.append(s('path', { class: 'dead', d: `M${cx - far} ${cy - far}l${2 * far} ${2 * far}m0 ${-2 * far}l${-2 * far} ${2 * far}` }));
      }
    });
  });
}

/** What is chosen of a turn that is being made, and where it can go on. */
export function drawPending(board, color, steps, legal) {
  const layer = board.layers.pending;
  if (steps.length === 0) return;
  if (board.game.maxSteps === 3) {
    for (const name of legal ?? []) {
      const [cx, cy] = board.placeOf(name);
      layer.append(s('circle', { cx, cy, r: 5, class: 'legal' }));
    }
    layer.append(square(board, steps[0], { class: 'selected' }, 0.94));
    if (steps[1]) layer.append(board.piece(color, ...board.placeOf(steps[1]), 'ghost'), square(board, steps[1], { class: 'selected' }, 0.94));
    return;
  }
  for (const name of steps) {
    const [cx, cy] = board.placeOf(name);
    layer.append(board.piece(color, cx, cy), s('circle', { cx, cy, r: 6, class: 'selected' }));
  }
}

/** A row that has won. */
export function drawRow(board, row) {
  for (const name of row ?? []) {
    const [cx, cy] = board.placeOf(name);
    board.layers.marks.append(s('circle', { cx, cy, r: CELL * 0.36, class: 'row-won' }));
  }
}
