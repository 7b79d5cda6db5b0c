// How the Game of the Amazons looks on the page, and what can be chosen for it.

import { at } from './board.js';

export const amazons = {
  title: 'Amazons',
  look: 'squares',
  sizes: [10, 5, 4],
  size: 10,
  maxSteps: 3,
  picksOwn: true,
  rules: [],
  strengths: [
    { name: 'Beginner (30 visits)', visits: 30 },
    { name: 'Easy (300 visits)', visits: 300 },
    { name: 'Medium (3,000 visits)', visits: 3000 },
    { name: 'Strong (20,000 visits)', visits: 20000 },
    { name: 'Very strong (100,000 visits)', visits: 100000 },
  ],
  strength: 1,
  shows: [
    ['amazons-territory', 'Territory'],
    ['amazons-regions', 'Closed regions'],
    ['amazons-evaluate', 'Evaluation without search'],
    ['tesuji-principal_variation', 'Expected course'],
    ['gomill-explain_last_move', 'Why the engine moved so'],
  ],
  // The game's own notation leaves out no letter.
  name(step) {
    const { x, y } = at(step);
    return String.fromCharCode(97 + x) + (y + 1);
  },
  describe: (cell) => ({ b: 'a black amazon', w: 'a white amazon', '#': 'an arrow' })[cell] ?? 'empty',
};
