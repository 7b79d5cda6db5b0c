// The games by their titles, and turns as words.

import { go } from './go.js';
import { connect6 } from './connect6.js';
import { amazons } from './amazons.js';

const all = { Go: go, Connect6: connect6, Amazons: amazons };

export const gameOf = (title) => all[title] ?? go;

/** Takes in what the command line of the program has that cannot be chosen otherwise: a side of the board, a strength. */
export function takeIn({ title, offer }) {
  const game = gameOf(title);
  if (offer.size && !game.sizes.includes(offer.size)) game.sizes.push(offer.size);
  if (offer.visits && !game.strengths.some(({ visits }) => visits === offer.visits)) {
    game.strengths.push({ name: `${offer.visits.toLocaleString('en')} visits`, visits: offer.visits });
  }
}

/** A turn in the game's own notation. */
export function turnName(game, steps) {
  if (steps.length === 0 || steps[0] === 'pass') return 'pass';
  const names = steps.map(game.name);
  if (game.maxSteps < 3) return names.join(' ');
  return names[0] + (names[1] ? `-${names[1]}` : '') + (names[2] ? `/${names[2]}` : '');
}
