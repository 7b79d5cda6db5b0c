// How Connect6 looks on the page, and what can be chosen for it.

export const connect6 = {
  title: 'Connect6',
  look: 'points',
  sizes: [19, 15, 13, 11],
  size: 19,
  maxSteps: 2,
  rules: [],
  strengths: [
    { name: 'Beginner (10 visits)', visits: 10 },
    { name: 'Easy (100 visits)', visits: 100 },
    { name: 'Medium (1,000 visits)', visits: 1000 },
    { name: 'Strong (5,000 visits)', visits: 5000 },
    { name: 'Very strong (30,000 visits)', visits: 30000 },
  ],
  strength: 1,
  shows: [
    ['connect6-threats', 'Threats'],
    ['connect6-winning_line', 'Winning line'],
    ['connect6-shapes', 'Shapes'],
    ['tesuji-principal_variation', 'Expected course'],
    ['gomill-explain_last_move', 'Why the engine moved so'],
  ],
  name: (step) => step,
  describe: (cell) => ({ b: 'a black stone', w: 'a white stone' })[cell] ?? 'empty',
};
