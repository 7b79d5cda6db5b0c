// How Go looks on the page, and what can be chosen for it.

export const go = {
  title: 'Go',
  look: 'points',
  sizes: [9, 13, 19, 5, 7, 11, 15, 17, 25],
  size: 9,
  hasPass: true,
  hasScore: true,
  hasKomi: true,
  maxSteps: 1,
  rules: ['chinese', 'japanese', 'aga', 'new-zealand', 'tromp-taylor'],
  strengths: [
    ...Array.from({ length: 10 }, (_, at) => ({
      name: `Level ${at + 1}${at === 0 ? ', for beginners' : ''}`, level: at + 1,
    })),
    { name: 'Full strength' },
  ],
  strength: 3,
  shows: [
    ['tesuji-joseki', 'Joseki in the corners'],
    ['tesuji-joseki_results', 'Joseki, by results'],
    ['tesuji-likely_moves', 'What experts would play'],
    ['tesuji-influence tuned', 'Influence'],
    ['tesuji-groups', 'Groups and their safety'],
    ['tesuji-estimate', 'Estimate in words'],
    ['tesuji-principal_variation', 'Expected course'],
    ['gomill-explain_last_move', 'Why the engine moved so'],
  ],
  name: (step) => step,
  describe: (cell) => ({ b: 'a black stone', w: 'a white stone' })[cell] ?? 'empty',
};
