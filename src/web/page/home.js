// The list of games, a new one, and where a record is dropped.

import { ask } from './link.js';
import { h, keep, kept, toast, colorName, plural } from './dom.js';
import { Board } from './board.js';
import { gameOf } from './games.js';
import { loadRecord } from './main.js';

const TIMES = [
  ['none', 'No clock'],
  ['absolute 300', '5 minutes'],
  ['absolute 900', '15 minutes'],
  ['fischer 300 5', '5 minutes + 5 s a move'],
  ['byoyomi 600 30 5', '10 minutes, then 5 × 30 s'],
  ['byoyomi 60 10 3', '1 minute, then 3 × 10 s'],
  ['canadian 600 300 20', '10 minutes, then 20 moves in 5 minutes'],
];

export const strengthOf = (game, index) => {
  const { level = 0, visits = 0 } = game.strengths[index] ?? game.strengths.at(-1);
  return { level, visits };
};

export class Home {
  constructor(main, games) {
    this.game = gameOf(games.title);
    this.offer = games.offer;
    this.title = `Tesuji: ${games.title}`;
    this.list = h('ul', { class: 'games', 'aria-label': 'Games' });
    this.empty = h('p', { class: 'soft' }, 'None yet.');
    const picker = h('input', { type: 'file', class: 'unseen', id: 'record', onchange: (event) => {
      if (event.target.files[0]) loadRecord(event.target.files[0]);
    } });
    main.replaceChildren(h('div', { class: 'home' },
      h('section', { class: 'card' }, h('h2', {}, 'New game'), this.form()),
      h('section', {},
        h('div', { class: 'drop soft' }, 'Drop a game record here, paste it, or ', h('label', { class: 'button', for: 'record' }, 'choose a file'), picker),
        h('h2', { id: 'list' }, 'Games'), this.empty, this.list,
        h('p', { class: 'soft' }, `${games.title === 'Go' ? 'Tesuji' : `Tesuji ${games.title}`} ${games.version}. Games live as long as the program runs.`))));
    this.games(games);
  }

  /** What the form begins with: what was chosen last, or what the command line says where that says something new. */
  first() {
    const { game, offer } = this;
    const last = kept(`setup-${game.title}`, {});
    if (last.offer === JSON.stringify(offer)) return last;
    const { level = 0, visits = 0, ...rest } = offer;
    const strength = game.strengths.findIndex((one) => (one.level ?? 0) === level && (one.visits ?? 0) === visits);
    return { ...last, ...rest, ...(level || visits ? { strength } : {}) };
  }

  form() {
    const { game } = this;
    const last = this.first();
    const select = (name, label, options, chosen) => [
      h('label', { for: name }, label),
      h('select', { id: name, name }, options.map(([value, text]) => h('option', { value, selected: String(value) === String(chosen) }, text))),
    ];
    const number = (name, label, value, attributes) => [
      h('label', { for: name }, label), h('input', { type: 'number', id: name, name, value, ...attributes }),
    ];
    const sides = [['b', 'Play Black'], ['w', 'Play White'], ['both', 'Play both sides'], ['none', 'Let the engine play both']];
    const first = game.title === 'Amazons' ? 'w' : 'b';
    return h('form', { class: 'setup', onsubmit: (event) => this.begin(event) },
      h('div', { class: 'grid' },
        select('side', 'You', sides, last.side ?? first),
        select('strength', 'Opponent', game.strengths.map(({ name }, index) => [index, name]), last.strength ?? game.strength),
        number('seconds', 'Seconds a move', last.seconds ?? 0, { min: 0, max: 3600, step: 'any', title: '0: as the strength says' }),
        select('size', 'Board', game.sizes.map((side) => [side, `${side}×${side}`]), last.size ?? game.size),
        game.hasKomi && select('rules', 'Rules', game.rules.map((name) => [name, name]), last.rules ?? 'chinese'),
        game.hasKomi && number('komi', 'Komi', last.komi ?? 7.5, { step: 0.5, min: -100, max: 100 }),
        game.hasKomi && select('handicap', 'Handicap', [[0, 'none'], ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => [n, `${n} stones`])], last.handicap ?? 0),
        select('time', 'Clock', TIMES, last.time ?? 'none')),
      h('p', { class: 'row' }, h('button', { class: 'primary', type: 'submit' }, 'Begin'),
        h('button', { type: 'button', onclick: () => this.analyse() }, 'Analysis board')));
  }

  async begin(event) {
    event.preventDefault();
    const data = Object.fromEntries(new FormData(event.target));
    keep(`setup-${this.game.title}`, { ...data, offer: JSON.stringify(this.offer) });
    const engine = { engine: true, ...strengthOf(this.game, Number(data.strength)), seconds: Number(data.seconds) || 0 };
    const human = { ...engine, engine: false };
    const plays = (color) => data.side === 'both' || data.side === color;
    await this.open({
      size: Number(data.size),
      komi: this.game.hasKomi ? Number(data.komi) : undefined,
      rules: data.rules,
      handicap: Number(data.handicap ?? 0),
      time: data.time,
      players: ['b', 'w'].map((color) => (plays(color) ? human : engine)),
    });
  }

  analyse() {
    const size = document.getElementById('size');
    return this.open({ size: Number(size.value) });
  }

  async open(setup) {
    try {
      const { game } = await ask('new', { setup });
      location.hash = `#/game/${game}`;
    } catch (why) {
      toast(why.message);
    }
  }

  games({ games }) {
    this.empty.hidden = games.length > 0;
    this.list.replaceChildren(...games.map((one) => {
      const board = new Board(this.game, one.size, { small: true });
      board.setCells(one.rows);
      const names = one.names.map((name, side) => name || (one.players[side] ? 'Tesuji' : 'You'));
      const state = one.result || (one.live ? `${colorName(one.toMove)} to move` : 'analysis');
      board.svg.setAttribute('aria-hidden', 'true');
      return h('li', {},
        h('a', { href: `#/game/${one.id}`, 'aria-label': `${names.join(' and ')}, ${plural(one.moves, 'move')}, ${state}` }, board.svg),
        h('div', {}, h('b', {}, names.join(' – '))),
        h('div', { class: 'row' }, h('span', { class: 'soft' }, `${plural(one.moves, 'move')} · ${state}`),
          h('button', { type: 'button', 'aria-label': 'Close this game', title: 'Close this game', onclick: () => {
            if (one.moves === 0 || confirm('Close this game? It is gone then.')) ask('close', { game: one.id });
          } }, '✕')));
    }));
  }

  leave() {}
}
