// What is drawn over a board: GoGui's drawing language, candidates, variations, the score.

import { s, count } from './dom.js';
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
  if (!analysis) return layer.replaceChildren();
  const many = analysis.moves[0]?.steps.length === 3 ? 3 : analysis.moves[0]?.steps.length === 2 ? 5 : 16;
  const most = analysis.moves[0]?.visits || 1;
  const pieces = [];
  const used = new Set();
  analysis.moves.slice(0, many).forEach((found, index) => {
    const best = index === 0;
    if (found.steps[0] === 'pass' || found.steps.length === 0) return;
    if (!best && found.visits < most * 0.005) return;
    const group = s('g', { class: `candidate${best ? ' best' : ''}` });
    const chance = found.proven === 'win' ? '✓' : found.proven === 'loss' ? '✗' : Math.round(100 * found.winrate);
    if (found.steps.length === 3) {
      const [from, to] = found.steps.map((step) => board.placeOf(step));
      group.append(
        s('line', { x1: from[0], y1: from[1], x2: to[0], y2: to[1] }),
        square(board, found.steps[2], {}, 0.78),
        disc(to, 10, chance, 12),
        s('text', { x: board.placeOf(found.steps[2])[0], y: board.placeOf(found.steps[2])[1], class: 'variation-label' }, String(index + 1)));
    } else {
      const places = found.steps.map((step) => board.placeOf(step));
      if (places.length === 2) {
        group.append(s('line', { x1: places[0][0], y1: places[0][1], x2: places[1][0], y2: places[1][1] }));
      }
      found.steps.forEach((step, part) => {
        if (used.has(step)) return;
        used.add(step);
        const label = found.steps.length === 2 ? (part === 0 ? chance : index + 1) : chance;
        const piece = disc(places[part], CELL * 0.45, label, found.steps.length === 2 ? 12 : 11, found.steps.length === 2 ? '' : count(found.visits));
        if (!best) piece.querySelector('circle').style.fillOpacity = (0.35 + 0.55 * Math.sqrt(found.visits / most)).toFixed(1);
        group.append(piece);
      });
    }
    pieces.unshift(group);
  });
  const before = layer.children;
  if (before.length !== pieces.length) return layer.replaceChildren(...pieces);
  pieces.forEach((piece, index) => become(before[index], piece));
  return undefined;
}

/** Makes an element look like another: most updates change a few numbers, and elements that stay cost nothing. */
function become(element, wanted) {
  if (element.isEqualNode(wanted)) return;
  const same = element.nodeName === wanted.nodeName && element.childNodes.length === wanted.childNodes.length;
  if (!same) return element.replaceWith(wanted);
  if (element.nodeType === Node.TEXT_NODE) {
    element.data = wanted.data;
    return;
  }
  for (const { name, value } of wanted.attributes) {
    if (element.getAttribute(name) === value) continue;
    // The rules for pages forbid styles as text.
    if (name === 'style') element.style.fillOpacity = wanted.style.fillOpacity;
    else element.setAttribute(name, value);
  }
  [...wanted.childNodes].forEach((child, index) => become(element.childNodes[index], child));
}

function disc([cx, cy], r, text, size, below = '') {
  const group = s('g', {}, s('circle', { cx, cy, r }), s('text', { x: cx, y: below ? cy - 4 : cy, 'font-size': size }, String(text)));
  if (below) group.append(s('text', { x: cx, y: cy + 6.5, 'font-size': 8.5 }, below));
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
